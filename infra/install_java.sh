#!/usr/bin/env bash
# Spark needs Java 17 or 21. Install it where that takes no question; else say the one command to run.
set -u
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing Java 17"
  apt-get update -q >/dev/null && apt-get install -y -q openjdk-17-jre-headless >/dev/null && exit 0
fi
if command -v apt-get >/dev/null; then
  echo "Java is missing. Run: sudo apt-get install -y openjdk-17-jre-headless" >&2
elif command -v dnf >/dev/null; then
  echo "Java is missing. Run: sudo dnf install -y java-17-openjdk-headless" >&2
elif command -v brew >/dev/null; then
  echo "Java is missing. Run: brew install openjdk@17" >&2
else
  echo "Java is missing. Install a Java 17 or 21 runtime and set JAVA_HOME." >&2
fi
exit 1
