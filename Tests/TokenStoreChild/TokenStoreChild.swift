import Countersign
import CountersignRequester
import CountersignWire
import Foundation

/// A process of its own that uses a token store: what happens between processes is tested with several of these.
///
///     TokenStoreChild ACT DIRECTORY [MORE…]
@main
struct TokenStoreChild {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let store = SealedFileTokenStore(directory: arguments[2])
        switch arguments[1] {
        case "count": try await count(in: store)
        case "add": try await add(Int(arguments[3]) ?? 1, in: store)
        case "fill": try await fill(store)
        case "hold": try await hold(in: store)
        case "renew": try await renew(at: try Issuer(arguments[3]), in: store)
        case "sign-in": try await signIn(in: store)
        case "enrolment": try await leaveEnrolment(in: store)
        case "household": try await signInSeveral(in: store)
        #if SecretService
        case "seal": try await seal(arguments[3], under: arguments[2])
        case "unseal": try await unseal(Array(arguments[3...]), under: arguments[2])
        #endif
        default: say("There is no act \(arguments[1]).")
        }
    }

    /// Saves one number after another, beginning after the last that is kept, and says each once it is saved.
    private static func count(in store: SealedFileTokenStore) async throws {
        let key = TokenStoreKey(.signIn, "number")
        let last = try await store.load(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        for number in (last + 1)... {
            try await store.save(Array("\(number)".utf8), for: key)
            say("\(number)")
        }
    }

    /// Adds one to what is kept, as often as is told, and keeps an item of its own.
    private static func add(_ times: Int, in store: SealedFileTokenStore) async throws {
        await beginTogether()
        try await store.save([1], for: TokenStoreKey(.signIn, "process \(getpid())"))
        let key = TokenStoreKey(.signIn, "sum")
        for _ in 1...times {
            try await store.exclusively(for: key) {
                let sum = try await store.load(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                try await store.save(Array("\(sum + 1)".utf8), for: key)
            }
        }
    }

    /// Saves a longer item each time until that does not work, and says why, and whether the last one is still there.
    private static func fill(_ store: SealedFileTokenStore) async throws {
        let key = TokenStoreKey(.signIn, "long")
        var saved: [UInt8] = []
        do {
            while true {
                let longer = [UInt8](repeating: 1, count: saved.count + 1000)
                try await store.save(longer, for: key)
                saved = longer
            }
        } catch {
            let isKept = try await store.load(key) == saved && !saved.isEmpty
            say("\(error.code.rawValue), \(isKept ? "kept" : "lost")")
        }
        // There is place again as soon as something goes.
        try await store.save([], for: key)
        say("saved")
    }

    /// Has the turn for a key until it is killed.
    private static func hold(in store: SealedFileTokenStore) async throws {
        try await store.exclusively(for: TokenStoreKey(.signIn, "held")) {
            say("held")
            try await Task.sleep(for: .seconds(3600))
        }
    }

    /// Hands out a token that is alive, and says it.
    private static func renew(at issuer: Issuer, in store: SealedFileTokenStore) async throws {
        let refresher = TokenRefresher(at: issuer, as: ClientID("radio"), keepingTokensIn: store)
        await beginTogether()
        say(try await refresher.signedIn().accessToken.revealed)
    }

    /// Keeps a sign-in, as a program does that a person signed in.
    private static func signIn(in store: SealedFileTokenStore) async throws {
        let signedIn = CompletedSignIn(
            accessToken: AccessToken(revealing: "secret-1"),
            refreshToken: RefreshToken(revealing: "secret-2"),
            expires: Date(timeIntervalSince1970: 1_800_000_000),
            scope: Scope([.openid, .profile]),
            identity: nil
        )
        try await store.save(signedIn, for: .signIn(at: Issuer("https://id.example.com"), as: ClientID("tv")))
    }

    /// Keeps what is left of the enrolment of a terminal whose sign-in the server has ended.
    private static func leaveEnrolment(in store: SealedFileTokenStore) async throws {
        let account = "phone https://id.example.com"
        try await store.save([1], for: TokenStoreKey(TokenStoreKey.Kind("approver-key"), account))
        for item in ["registration", "devices", "removal"] {
            try await store.save([1], for: TokenStoreKey(TokenStoreKey.Kind("authenticator"), "\(item) \(account)"))
        }
    }

    /// Keeps several people: Anna is current, Ben is a guest, and Carla is signed out and remembered.
    private static func signInSeveral(in store: SealedFileTokenStore) async throws {
        func item(_ name: String, _ more: String) -> String {
            """
            {"identity":{"issuer":"https://id.example.com","subject":"\(name)-1","name":"\(name.capitalized) Example",\
            "username":"\(name)"},"scope":"openid profile"\(more)}
            """
        }
        func tokens(_ name: String) -> String {
            #","accessToken":"secret-\#(name)","refreshToken":"refresh-\#(name)","expires":4000000000"#
        }
        let claims = """
            {"iss":"https://id.example.com","sub":"carla-1","aud":"tv","exp":1800000000,"iat":1799999100,\
            "countersign_screen":"a-screen"}
            """
        let parts = [#"{"alg":"ES256","typ":"JWT"}"#, claims, "no signature"]
        let idToken = parts.map { URLSafeText.encode(Array($0.utf8)) }.joined(separator: ".")
        let others = [
            item("ben", tokens("ben") + #","ends":3900000000"#), item("carla", #","idToken":"\#(idToken)""#),
        ]
        let household = #"{"current":\#(item("anna", tokens("anna"))),"others":[\#(others.joined(separator: ","))]}"#
        try await store.save(
            Array(household.utf8), for: .signIn(at: Issuer("https://id.example.com"), as: ClientID("tv")))
    }

    #if SecretService
    /// Keeps an item under its own name, sealed by the key of the directory in the keyring.
    private static func seal(_ name: String, under directory: String) async throws {
        let store = SealedFileTokenStore(directory: directory, sealedBy: SecretServiceKey(of: directory))
        do {
            try await store.save(Array(name.utf8), for: TokenStoreKey(.signIn, name))
            say("sealed \(name)")
        } catch {
            say(error.sentence)
        }
    }

    /// Says which of the items that it kept can be read.
    private static func unseal(_ names: [String], under directory: String) async throws {
        let store = SealedFileTokenStore(directory: directory, sealedBy: SecretServiceKey(of: directory))
        for name in names where try await store.load(TokenStoreKey(.signIn, name)) == Array(name.utf8) {
            say("unsealed \(name)")
        }
    }
    #endif

    /// Returns when the test says so, on standard input.
    private static func beginTogether() async {
        say("ready")
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                _ = readLine()
                continuation.resume()
            }
        }
    }

    private static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}
