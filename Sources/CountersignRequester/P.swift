import AsyncHTTPClient
import CryptoExtras
enum Placeholder {}
