import CommandLine
import Glibc

exit(runCommandLine(Array(Swift.CommandLine.arguments.dropFirst())))
