#if SecretService && os(Linux)
internal import Countersign
internal import CountersignWire
internal import DesktopBus

/// The service of GNOME Online Accounts: its names on the bus, and its methods.
///
/// Standard: the D-Bus interface `org.gnome.OnlineAccounts`.
enum OnlineAccountsService {
    static let name = "org.gnome.OnlineAccounts"
    static let path = "/org/gnome/OnlineAccounts"
    static let managerPath = "/org/gnome/OnlineAccounts/Manager"

    static let account = "org.gnome.OnlineAccounts.Account"
    static let oauth1 = "org.gnome.OnlineAccounts.OAuthBased"
    static let oauth2 = "org.gnome.OnlineAccounts.OAuth2Based"
    static let manager = "org.gnome.OnlineAccounts.Manager"

    static let objects = BusMethod(interface: "org.freedesktop.DBus.ObjectManager", name: "GetManagedObjects")
    static let isSupported = BusMethod(interface: manager, name: "IsSupportedProvider")
    static let ensureCredentials = BusMethod(interface: account, name: "EnsureCredentials")
    static let oauth1Token = BusMethod(interface: oauth1, name: "GetAccessToken")
    static let oauth2Token = BusMethod(interface: oauth2, name: "GetAccessToken")
}

/// An account as the service lists it.
struct OnlineAccount: Sendable {
    /// The way for an app to use the account. Passwords are never requested.
    enum Way: Sendable {
        /// It signs by OAuth 1, as this client.
        case oauth1(ClientCredentials)
        /// It has a bearer token.
        case oauth2
        /// It has a password, a ticket or a certificate.
        case none
    }

    /// The object on the bus.
    let path: String
    let account: SystemAccount
    let way: Way
    /// Whether the person has to sign in again.
    let needsSignIn: Bool
    /// Whether it goes with the session.
    let isTemporary: Bool

    /// Reads the members of an object; `nil` for an object that is no account.
    init?(at path: String, _ interfaces: [String: BusValue]) {
        guard let members = interfaces[OnlineAccountsService.account]?.dictionary,
            let id = members["Id"]?.text, !id.isEmpty,
            let provider = members["ProviderType"]?.text, !provider.isEmpty
        else { return nil }
        let names = [members["PresentationIdentity"]?.text, members["Identity"]?.text]
        let name = names.lazy.compactMap { $0 }.first { !$0.isEmpty }
        self.path = path
        account = SystemAccount(provider: AccountProviderID(provider), id: SystemAccount.ID(id), name: name ?? id)
        needsSignIn = members["AttentionNeeded"]?.flag ?? false
        isTemporary = members["IsTemporary"]?.flag ?? false
        way = Self.way(interfaces)
    }

    private static func way(_ interfaces: [String: BusValue]) -> Way {
        if let members = interfaces[OnlineAccountsService.oauth1]?.dictionary,
            let key = members["ConsumerKey"]?.text, let secret = members["ConsumerSecret"]?.text
        {
            return .oauth1(ClientCredentials(client: ClientID(key), secret: OAuth1Secret(revealing: secret)))
        }
        return interfaces[OnlineAccountsService.oauth2] == nil ? .none : .oauth2
    }

    /// Whether an app can sign in by it.
    var isUsable: Bool { if case .none = way { false } else { true } }
}

extension BusConnection {
    /// All accounts, sorted by provider and name.
    borrowing func onlineAccounts() throws(BusError) -> [OnlineAccount] {
        let answer = try ask(OnlineAccountsService.objects, at: OnlineAccountsService.path)
        guard answer.count == 1, let objects = answer[0].dictionary else { throw .malformed }
        var accounts: [OnlineAccount] = []
        for (path, interfaces) in objects {
            guard let interfaces = interfaces.dictionary else { throw .malformed }
            if let account = OnlineAccount(at: path, interfaces) { accounts.append(account) }
        }
        return accounts.sorted { left, right in
            let (one, other) = (left.account, right.account)
            return (one.provider.rawValue, one.name, one.id.rawValue)
                < (other.provider.rawValue, other.name, other.id.rawValue)
        }
    }

    /// Whether the service knows accounts of a provider; `true` as well where it is too old to say.
    borrowing func supports(_ provider: AccountProviderID) throws(BusError) -> Bool {
        do throws(BusError) {
            let method = OnlineAccountsService.isSupported
            let answer = try ask(method, at: OnlineAccountsService.managerPath, provider.rawValue)
            guard let isSupported = answer.first?.flag else { throw .malformed }
            return isSupported
        } catch .refused(let name) where name.meansNoObject {
            return true
        }
    }

    /// Lets the service check whether an account is still signed in, and renew its tokens if it can.
    borrowing func ensureCredentials(of account: OnlineAccount) throws(BusError) {
        _ = try ask(OnlineAccountsService.ensureCredentials, at: account.path)
    }

    /// The token of an account with OAuth 2.
    borrowing func token(of account: OnlineAccount) throws(BusError) -> AccessToken {
        let answer = try ask(OnlineAccountsService.oauth2Token, at: account.path)
        guard let token = answer.first?.text, !token.isEmpty else { throw .malformed }
        return AccessToken(revealing: token)
    }

    /// Token and secret of an account with OAuth 1.
    borrowing func tokenCredentials(of account: OnlineAccount) throws(BusError) -> TokenCredentials {
        let answer = try ask(OnlineAccountsService.oauth1Token, at: account.path)
        guard answer.count >= 2, let token = answer[0].text, let secret = answer[1].text, !token.isEmpty else {
            throw .malformed
        }
        return TokenCredentials(token: OAuth1Token(token), secret: OAuth1Secret(revealing: secret))
    }

    private borrowing func ask(
        _ method: BusMethod,
        at path: String,
        _ argument: String? = nil
    ) throws(BusError) -> [BusValue] {
        try call(method, at: path, of: OnlineAccountsService.name, argument)
    }
}

extension SystemAccountStoreError {
    /// Maps what the bus or the service answered.
    init(_ failure: BusError) {
        switch failure {
        case .unreachable: self.init(.unsupported, because: "this session has no bus")
        case .timedOut: self.init(.failed, because: "GNOME Online Accounts did not answer in time")
        case .cancelled: self.init(.failed, because: "the task was cancelled")
        case .malformed: self.init(.failed, because: "the answer of GNOME Online Accounts makes no sense")
        case .refused(let name) where name.meansNoService:
            self.init(.unsupported, because: "this desktop has no GNOME Online Accounts")
        case .refused(let name) where name.meansNoObject:
            self.init(.accountNotFound, because: "the account was removed")
        case .refused(let name):
            let code: Code =
                switch name.last {
                case "NotAuthorized": .newSignInNeeded
                // The sandbox of the app does not let it ask.
                case "AccessDenied": .permissionDenied
                default: .failed
                }
            self.init(code, because: "GNOME Online Accounts answered \(name.rawValue)")
        }
    }
}
#endif
