// The essentials of Foundation; all of it on Apple's systems, which have no separate module for them.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
