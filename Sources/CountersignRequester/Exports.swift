// A requesting app writes one import, which re-exports these modules.
@_exported public import Countersign
@_exported public import CountersignNearby
@_exported public import CountersignTransport
@_exported public import CountersignWire
#if SecretService && os(Linux)
@_exported public import DesktopBus
#endif
