// Dates, addresses and bytes are in the interface of every library: one import of this module suffices for them.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
