/// The version of the tool and the library, as `--version` prints it and files record it.
public let stylemodelVersion = "0.1.0"
