"""Router, operators, ranking, index, embedder, answering and the service."""
