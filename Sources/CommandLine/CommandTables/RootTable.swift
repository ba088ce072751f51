/// `stylemodel` itself.
let rootCommand = CommandSpec(
  "stylemodel",
  overview: """
    Convert trained style-transfer networks into small files, run them, and prove with pictures and numbers that \
    they still look the same.
    """,
  sections: [OptionSection("OPTIONS", [GeneralOptions.help, GeneralOptions.version])],
  examples: [
    Example(
      "Make a small file of a checkpoint, and see how close its pictures stay",
      "convert mosaic_4000.pth --eval"),
    Example("Run it", "stylize mosaic_4000.int8.stylemodel photo.jpg -o styled.png"),
  ],
  subcommands: [
    convertCommand, evalCommand, sweepCommand, reportCommand, stylizeCommand, inspectCommand, diffCommand,
    sensitivityCommand, benchCommand,
    completionsCommand, manCommand,
  ])
