// A screen or a phone nearby writes one import, which re-exports these modules.
@_exported public import Countersign
@_exported public import MulticastDNS
