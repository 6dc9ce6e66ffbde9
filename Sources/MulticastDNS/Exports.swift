// Settings show types of this module, such as `TimeSource`.
@_exported public import Countersign
