import Testing

/// The published vectors of `Noise_XX_25519_ChaChaPoly_SHA256`, as they stand in the test suites of two other
/// implementations: cacophony (Haskell, `vectors/cacophony.txt`) and snow (Rust, `tests/vectors/snow.txt`).
struct NoiseVector: Sendable, CustomTestStringConvertible {
    struct Message: Sendable {
        let payload: String
        let ciphertext: String
    }

    let source: String
    let prologue: String
    let initiatorStatic: String
    let initiatorEphemeral: String
    let responderStatic: String
    let responderEphemeral: String
    /// Not every suite publishes it.
    let handshakeHash: String?
    /// Three of the handshake, then each in turn.
    let messages: [Message]

    var testDescription: String { source }
}

extension NoiseVector {
    static let cacophony = NoiseVector(
        source: "cacophony",
        prologue: "4a6f686e2047616c74",
        initiatorStatic: "e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1",
        initiatorEphemeral: "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a",
        responderStatic: "4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893",
        responderEphemeral: "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b",
        handshakeHash: "c8e5f64e846193be2a834104c2a009868d6c9f3bd3c186299888b488b2f1f58e",
        messages: [
            Message(
                payload: "4c756477696720766f6e204d69736573",
                ciphertext: "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79444c756477696720766f6e"
                    + "204d69736573"
            ),
            Message(
                payload: "4d757272617920526f746862617264",
                ciphertext: "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f14480884381cbad1f276e038c4837"
                    + "8ffce2b65285e08d6b68aaa3629a5a8639392490e5b9bd5269c2f1e4f488ed8831161f19b7815528f898"
                    + "2ffe09be9b5c412f8a0db50f8814c7194e83f23dbd8d162c9326ad"
            ),
            Message(
                payload: "462e20412e20486179656b",
                ciphertext: "c7195ffacac1307ff99046f219750fc47693e23c3cb08b89c2af808b444850a80ae475b9df0f169ae80a"
                    + "89be0865b57f58c9fea0d4ec82a286427402f113e4b6ae769a1d95941d49b25030"
            ),
            Message(
                payload: "4361726c204d656e676572",
                ciphertext: "96763ed773f8e47bb3712f0e29b3060ffc956ffc146cee53d5e1df"
            ),
            Message(
                payload: "4a65616e2d426170746973746520536179",
                ciphertext: "3e40f15f6f3a46ae446b253bf8b1d9ffb6ed9b174d272328ff91a7e2e5c79c07f5"
            ),
            Message(
                payload: "457567656e2042f6686d20766f6e2042617765726b",
                ciphertext: "eb3f3515110702e047a6c9da4478b6ead94873c11c0f2d710ddb3f09fce024b3a58502ae3f"
            ),
        ]
    )

    static let snow = NoiseVector(
        source: "snow",
        prologue: "5468657265206973206e6f20726967687420616e642077726f6e672e2054686572652773206f6e6c7920"
            + "66756e20616e6420626f72696e672e",
        initiatorStatic: "7dec208517a3b81a2861d7a71266d5d6dc944c5a8816634a86fe63198a0148ee",
        initiatorEphemeral: "a32daf21e93c0131495ce1d903181fde81cc46937daaeb990bae7c992709421e",
        responderStatic: "4d0aed5098e3b4ef20357e9f686ce66204c792b358da2e475017d6c485304881",
        responderEphemeral: "4eece0f195d026db035ff987597c429d3ad3bcc2944df37d649528951b2a27c5",
        handshakeHash: nil,
        messages: [
            Message(
                payload: "d03c489139e645d0711a3c9e810d776b46a84912463fafa87b884eebf242dc34",
                ciphertext: "f9fa868ba97ab8a2686deccfaad5a484ee10a5bb85e3d1dce015a84797f92818d03c489139e645d0711a"
                    + "3c9e810d776b46a84912463fafa87b884eebf242dc34"
            ),
            Message(
                payload: "d8190a92f7dc0c93dbea9118ba8055751fb7c6590c416ffbd419964132b99a85",
                ciphertext: "8c4e6fdb7d09d501a86f7eca5c234522751706ed409182c05cdf5f827d4dae47b81c6c5f43b025692c24"
                    + "391eefee725c17d8cb0fbe3e4abb8aedf42c4fd2592d4ea48ac08989d6ae8b4adae08b2c34087c808c7a"
                    + "a55a63c02b0fab9e930612336bd43eaea04d3c670a0a146691aa9cc9d357872320dc735dbc48580cffb5"
                    + "53db"
            ),
            Message(
                payload: "77891b19dcb92ef7c055b672c4a5aa7fdf1c84146b8b303459022729473ce254",
                ciphertext: "933ca6b5ed60df3df66121f0ab49a09e49efa45c613a86a3cecbf4c535cef2f83f72b42837b18e3572f2"
                    + "fdc2b74c331e2368a545cef54bdca081678ab0e9dd5348122459e0c034c851984d88ce610963d43cde6c"
                    + "fe73a67fbd5a63e8bfca96d0"
            ),
            Message(
                payload: "d7efdf988072881941db045a42882433817555128fbf5663e56081712ec7d212",
                ciphertext: "54ef0ff0629e1aaa7685a2806ab111cba76b52331f2642276736f415868eacb69ab2577f3bda0cbf72f8"
                    + "79685f6ed25f"
            ),
            Message(
                payload: "dd7bf01a588bafb52c6cfba952e5d8fe35cc2b3f92b4730ae2474615157345ce",
                ciphertext: "356be70f110306d5c699bb834bb9d58d909e325924dfbec972e406e6f294dc63e1daebefe8a62a334fac"
                    + "c8048ab4ad66"
            ),
        ]
    )
    static let all = [cacophony, snow]
}
