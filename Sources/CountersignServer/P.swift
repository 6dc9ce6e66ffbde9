import Hummingbird
import Mustache
enum Placeholder {}
