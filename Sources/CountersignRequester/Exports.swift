// An app that asks writes one import: these modules are part of what it gets.
@_exported public import Countersign
@_exported public import CountersignTransport
@_exported public import CountersignWire
#if SecretService && os(Linux)
@_exported public import DesktopBus
#endif
