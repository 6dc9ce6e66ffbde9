import Countersign
import CountersignNearby

extension Parser {
    /// Messages of a device on the local network, before and after it is trusted.
    static let nearby: [Parser] = [
        Parser(
            "nearby-frames",
            bytes: { bytes in
                let whole = frames(of: bytes, in: [bytes])
                // The first byte says how the rest is cut.
                let step = max(1, Int(bytes.first ?? 1))
                let pieces = stride(from: 0, to: bytes.count, by: step).map {
                    Array(bytes[$0..<min($0 + step, bytes.count)])
                }
                expect(frames(of: bytes, in: pieces) == whole, "frames are the same however they are cut")
                for frame in whole {
                    expect(!frame.isEmpty && frame.count <= FrameReader.longest, "a frame has a length")
                    expect(FrameReader.frame(of: frame)?.count == frame.count + 2, "and is written again")
                }
            }),
        Parser(
            "nearby-hello",
            bytes: { bytes in
                guard let app = NearbyAppID("net.example.player") else { return }
                let approver = ApproverHandshake(app: app, versions: .ours)
                guard case .greeted(let greeted)? = try? approver.read(bytes) else { return }
                expect(HandshakeFrames.firstLengths.contains(bytes.count), "only frames of one length are taken")
                expect(greeted.hinted(in: PairingHints(for: [])) == nil, "no pairing is known")
                guard let answered = try? greeted.answer(as: nil, drawingFrom: fixed) else { return }
                expect(answered.frame.count == 99, "an answer has one length")
                expect((try? answered.read(bytes)) == nil, "and the handshake cannot continue without a key")
            }),
        Parser(
            "nearby-answer",
            bytes: { bytes in
                guard let app = NearbyAppID("net.example.player"),
                    let requester = try? RequesterHandshake(
                        app: app, version: .first, of: .ours, pairings: [], drawingFrom: fixed),
                    let answer = try? requester.read(bytes)
                else { return }
                guard case .refused(let reason, let versions) = answer else { return }
                expect(
                    PlaintextRefusal(reason: reason, versions: versions).frame == bytes, "a refusal has one spelling")
            }),
        Parser(
            "nearby-message",
            bytes: { bytes in
                guard let message = LinkMessage(parsing: bytes) else { return }
                expect(message.bytes == bytes, "a message has one spelling")
                if case .ask(let ask) = message {
                    expect(!ask.name.shown.isEmpty, "a name can be shown")
                    expect(
                        !ask.name.shown.unicodeScalars.contains { $0.properties.generalCategory == .control },
                        "without control characters")
                }
                guard case .request(_, let body) = message else { return }
                for kind in [NearbyRequestKind.bytes, .server] {
                    guard let request = RequestBody.parsed(body, as: kind) else { continue }
                    expect(RequestBody.written(request) == body, "a request has one spelling")
                }
            }),
    ]

    private static let fixed = RandomSource { [UInt8](repeating: 7, count: $0) }

    private static func frames(of bytes: [UInt8], in pieces: [[UInt8]]) -> [[UInt8]] {
        var reader = FrameReader()
        var frames: [[UInt8]] = []
        for piece in pieces {
            reader.append(piece)
            while let frame = try? reader.next() { frames.append(frame) }
        }
        return frames
    }
}
