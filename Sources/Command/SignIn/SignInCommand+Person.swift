internal import Countersign
internal import CountersignRequester

extension SignInCommand {
    /// Refuses a service together with the ways in where nobody is asked, and with a person whose tokens may be here.
    func refuseServiceElsewhere() throws {
        guard service.isChosen else { return }
        _ = try service.service(at: TimeSource.system.now())
        guard !account.isChosen, !crossPlatform.isWanted, !proofs.isChosen, chosenName == nil else {
            throw CommandError.usage(
                "--account, --cpa, --as and \(ProofOptions.names) do not go with --as-service and --until.")
        }
    }

    /// The options with the service, whose new tokens replace those of an earlier sign-in for the same purpose.
    func serviceOptions() throws -> SignInOptions {
        var options = options
        options.service = try service.service(at: TimeSource.system.now())
        options.endsReplacedSignIn = options.service != nil
        return options
    }

    /// Refuses the name of a person together with the ways in that take none.
    func refuseNameElsewhere() throws {
        guard chosenName != nil else { return }
        guard code == nil, !account.isChosen, !crossPlatform.isWanted, !backchannel.isChosen else {
            throw CommandError.usage("--account, --cpa, --backchannel and --code do not go with --as.")
        }
    }

    /// The person that was named, and whom this terminal remembers: without a name the only one whom it does.
    func person(
        in store: some TokenStore,
        for key: TokenStoreKey
    ) async throws -> (Household.Person?, RememberedPerson?) {
        let now = TimeSource.system.now()
        guard let chosenName else {
            // A store that cannot be read is reported when the tokens are to be kept.
            let remembered = ((try? await store.people(for: key, at: now)) ?? []).compactMap(\.rememberedPerson)
            return (nil, remembered.count == 1 ? remembered.first : nil)
        }
        let person = try await store.people(for: key, at: now).only(named: chosenName)
        return (person, person.rememberedPerson)
    }
}
