internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Repositories {
    /// The requests that a device lists, in the order of ``answerable(by:at:)``: those that it may answer.
    ///
    /// It lists only the first of the requests to approve, so that a person who is asked again and again does not
    /// approve the wrong one by one press too many. The others follow once the one before is decided or over.
    ///
    /// - Parameters:
    ///   - subject: The device's person.
    ///   - device: The device; `nil` for an app that has registered none.
    ///   - now: The current time.
    func inbox(of subject: Subject, on device: EnrolledDevice?, at now: Date) throws -> [SignInExchangeRecord] {
        var hasPrompt = false
        return try answerable(by: subject, at: now).filter { stored in
            guard try mayAnswer(stored, on: device) else { return false }
            guard stored.method.kind == .instant else { return true }
            defer { hasPrompt = true }
            return !hasPrompt
        }
    }

    /// Whether an app may look at a request and answer it, wherever it found the request.
    func mayAnswer(_ stored: SignInExchangeRecord, by app: ApprovingApp, at now: Date) throws -> Bool {
        guard stored.exchange.isOpen(to: app.person.subject, at: now) else { return false }
        guard stored.method.environment != nil else { return true }
        return try mayAnswer(stored, on: devices.find(app.signIn.grant.id))
    }

    /// Whether a device may be shown a request and answer it: those of an environment only while it is registered
    /// there.
    func mayAnswer(_ stored: SignInExchangeRecord, on device: EnrolledDevice?) throws -> Bool {
        guard let environment = stored.method.environment else { return true }
        guard let device else { return false }
        return try devices.enrollment(of: device.id, in: environment) != nil
    }

    /// Whether a request is to be approved at a device that can ask its person for the number, because they have one
    /// there.
    ///
    /// Devices of the older dialect have no field for a number: answering there would bypass the number that another
    /// device asks for.
    func isForNumberedDevice(_ stored: SignInExchangeRecord, of subject: Subject, at now: Date) throws -> Bool {
        guard stored.numberToType != nil else { return false }
        return try devices.all(of: subject).contains { device in
            try device.dialect == .signed && mayAnswer(stored, on: device) && hasLiveSignIn(device, at: now)
        }
    }

    /// Whether the sign-in of the app on a device goes on, without which it answers nothing; devices of the older
    /// dialect need none.
    func hasLiveSignIn(_ device: EnrolledDevice, at now: Date) throws -> Bool {
        guard let id = device.signIn else { return device.dialect == .shared }
        return try signIns.find(id)?.isLive(at: now) ?? false
    }

    /// The requests that wait for a person and can still be answered, in the order of their display. Those of a client
    /// that was removed cannot be.
    ///
    /// Clients take turns, each with its oldest request first, and those with fewer requests before those with more: one
    /// that asks often hides those of no other, also while the person denies its requests one by one. Silent requests
    /// come last.
    func answerable(by subject: Subject, at now: Date) throws -> [SignInExchangeRecord] {
        let waiting = try shown(to: subject, at: now).filter { stored in
            try !stored.method.hasFailed && clients.find(stored.exchange.request.client.value) != nil
        }
        let numbers = waiting.reduce(into: [ClientID: Int]()) { $0[$1.exchange.request.client.value, default: 0] += 1 }
        var turns: [ClientID: Int] = [:]
        return
            waiting
            .enumerated()
            .map { place, stored -> (rank: (Int, Int, Int, Int), stored: SignInExchangeRecord) in
                let client = stored.exchange.request.client.value
                let turn = turns[client, default: 0]
                turns[client] = turn + 1
                return ((stored.terms.isSilent ? 1 : 0, turn, numbers[client, default: 0], place), stored)
            }
            .sorted { $0.rank < $1.rank }
            .map(\.stored)
    }

    /// Whether a person wants to be left alone, so that nothing is pushed to their devices.
    func wantsQuiet(_ subject: Subject, at now: Date) throws -> Bool {
        let longest = TimeInterval(AuthenticatorQuietEndpoint.longest)
        return try devices.quiet(of: subject).map { $0.lasts(at: now, atMost: longest) } ?? false
    }

    /// The environment as a list shows it; `nil` when it was removed.
    func listed(_ environment: EnvironmentID) throws -> ListedEnvironment? {
        guard let client = try clients.find(ClientID(environment.rawValue)) else { return nil }
        return try environments.find(environment)?.listed ?? ListedEnvironment(id: environment, name: client.name)
    }
}
