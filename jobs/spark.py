"""One Spark session builder: local by default, any master or Spark Connect address by setting.

The Delta jars come from Maven by Spark's own resolver, once, into the cache; later sessions load them
from there, so they start faster, quietly and without a network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jobs.settings import Settings
from lakehouse.errors import EngineError, SettingsError

RESOLVE_SECONDS = 600
JAVA_HINT = "install Java 17 or 21 (Debian: `apt-get install openjdk-17-jre-headless`), or set JAVA_HOME"
LOG4J = """rootLogger.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = spark: %p %c{1}: %m%n
logger.hooks.name = org.apache.spark.util.ShutdownHookManager
logger.hooks.level = off
"""


def coordinates() -> str:
    """The Maven coordinates of the Delta that belongs to the installed Spark."""
    spark = ".".join(version("pyspark").split(".")[:2])
    return f"io.delta:delta-spark_{spark}_2.13:{version('delta-spark')}"


def java() -> str:
    """The Java to run. Raises EngineError, saying what to install, where there is none."""
    home = os.environ.get("JAVA_HOME", "")
    candidates = [str(Path(home) / "bin" / "java")] if home else []
    for path in (*candidates, "java"):
        try:
            subprocess.run([path, "-version"], capture_output=True, check=True, timeout=60)
        except (OSError, subprocess.SubprocessError):
            continue
        return path
    raise EngineError("Spark needs Java and none was found", hint=JAVA_HINT)


def delta_jars(settings: Settings) -> list[str]:
    """Paths of the Delta jars: the user's, the cached ones, or freshly resolved by Spark's resolver.

    Raises EngineError when the resolver can't fetch them, SettingsError for a jar that isn't there.
    """
    if settings.spark_jars:
        jars = [jar.strip() for jar in settings.spark_jars.split(",") if jar.strip()]
        if missing := [jar for jar in jars if not Path(jar).exists()]:
            raise SettingsError("no such jar", place=missing[0], hint="correct MEMLAKE_SPARK_JARS")
        return jars
    ivy = settings.cache / "ivy" / coordinates().replace(":", "_")
    done = ivy / "resolved"
    if not done.exists():
        _resolve(ivy, settings)
        done.touch()
    return sorted(str(path) for path in (ivy / "jars").glob("*.jar"))


def _resolve(ivy: Path, settings: Settings) -> None:
    """Run Spark's resolver once. An empty application is enough for it to fetch `--packages`."""
    java()
    import pyspark

    ivy.mkdir(parents=True, exist_ok=True)
    script = ivy / "nothing.py"
    script.write_text("")
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    command = [str(submit), "--master", "local[1]", "--conf", f"spark.jars.ivy={ivy}", "--packages", coordinates()]
    if settings.maven_mirror:
        command += ["--conf", f"spark.jars.ivySettings={_mirror(ivy, settings.maven_mirror)}"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    try:
        done = subprocess.run(
            [*command, str(script)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=RESOLVE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EngineError("fetching the Delta jars took too long", place=coordinates(), hint="run it again") from error
    if done.returncode != 0 or not list((ivy / "jars").glob("*.jar")):
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no reason given")
        raise EngineError(
            f"the Delta jars could not be fetched: {last.strip()[:200]}",
            place=coordinates(),
            hint="check the network, set MEMLAKE_MAVEN_MIRROR, or give the jars by MEMLAKE_SPARK_JARS",
        )


def _mirror(ivy: Path, address: str) -> Path:
    path = ivy / "ivysettings.xml"
    path.write_text(
        f'<ivysettings><settings defaultResolver="mirror"/><resolvers>'
        f'<ibiblio name="mirror" m2compatible="true" root="{address}"/></resolvers></ivysettings>'
    )
    return path


def session(settings: Settings) -> Any:
    """A Spark session with Delta. Raises EngineError when it can't start."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    if settings.spark_remote:
        try:
            return SparkSession.builder.remote(settings.spark_remote).getOrCreate()
        except Exception as error:
            raise EngineError(
                f"Spark Connect does not answer ({type(error).__name__})",
                place=settings.spark_remote,
                hint="start it with the Delta jars, or unset MEMLAKE_SPARK_REMOTE for a local session",
            ) from error
    java()
    builder = SparkSession.builder.master(settings.spark_master).appName("memlake")
    for name, value in {**_configuration(settings), **settings.spark_conf}.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        raise EngineError(
            f"Spark does not start ({type(error).__name__})",
            place=settings.spark_master,
            hint=f"its log is {engine_log(settings)}; `memlake doctor` looks closer",
        ) from error


def engine_log(settings: Settings) -> Path:
    """Where local engines write their own messages."""
    return settings.cache / "engines.log"


def _configuration(settings: Settings) -> dict[str, str]:
    conf = {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.jars": ",".join(delta_jars(settings)),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "5000",
        "spark.databricks.delta.schema.typeCheck.enabled": "true",
        "spark.ui.showConsoleProgress": "false",
    }
    if settings.spark_master.startswith("local"):
        log4j = settings.cache / "log4j2.properties"
        settings.cache.mkdir(parents=True, exist_ok=True)
        log4j.write_text(LOG4J)
        conf |= {
            "spark.ui.enabled": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": settings.spark_memory,
            "spark.sql.shuffle.partitions": "2",
            "spark.databricks.delta.snapshotPartitions": "1",
            "spark.sql.warehouse.dir": str(settings.cache / "warehouse"),
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{log4j} -XX:+UseSerialGC",
        }
    return conf
