import ArgumentParser
import Configuration
import CQREncode
@main struct M: ParsableCommand {}
