import Countersign
import CountersignWire
import Foundation

@testable import CountersignServer

extension SamplePages {
    /// The account page with everything on it.
    static func account(_ text: String) -> AccountView {
        AccountView(
            personName: text,
            formToken: text,
            notice: .verbatim(text),
            screens: [
                .signedIn(
                    grant: text, client: text, deviceName: text,
                    signIns: [
                        .pickedUp(
                            text, forService: text, from: text, since: noon - 20, lastUsed: noon,
                            undo: .open(until: noon + 40), at: noon
                        )
                    ]
                )
            ],
            services: [
                GuestServiceView(
                    grant: text, servicePurpose: text, client: text, isSelfNamed: true, deviceName: text,
                    serviceEnds: TimeDisplay(noon + 90_000, at: noon), since: TimeDisplay(noon - 90, at: noon),
                    lastUsed: TimeDisplay(noon, at: noon), address: text, historyID: text)
            ],
            waiting: [
                .waiting(
                    grant: text, client: text, deviceName: text,
                    signIn: .waiting(
                        text, forService: text, from: text, approved: noon - 10, undo: .open(until: noon + 50), at: noon
                    )
                )
            ],
            openedBrowsers: [openedBrowser(text), openedBrowser(text, isHere: true)],
            otherBrowsers: [
                OtherBrowserView(
                    browserSession: text, browserName: .verbatim(text), browserAddress: text,
                    browserUsed: TimeDisplay(noon, at: noon), signedIn: TimeDisplay(noon, at: noon),
                    signInProofs: [OtherBrowserView.SignInProof(proofWords: .verbatim(text))],
                    sessionEnds: TimeDisplay(noon + 3600, at: noon))
            ],
            question: question(text),
            devices: [
                EnrolledDeviceView(
                    deviceID: text, deviceModel: .verbatim(text), deviceGivenName: text, deviceSystem: text,
                    deviceAdded: TimeDisplay(noon, at: noon),
                    deviceSeen: TimeDisplay(noon, at: noon), deviceAddress: text, deviceHistoryID: text)
            ],
            news: news(text),
            recent: [
                RecentRequestView(
                    recentID: text, recentApp: .verbatim(text), isRecentNameOwn: true, recentOutcome: .verbatim(text),
                    recentTime: TimeDisplay(noon, at: noon))
            ],
            apps: [
                AllowedAppView(
                    clientID: text, client: text, permissions: [PermissionLine(.openid)],
                    given: TimeDisplay(noon, at: noon)
                )
            ],
            mutedApps: [
                MutedAppView(
                    clientID: text, client: text, isSelfNamed: true, cause: .verbatim(text),
                    since: TimeDisplay(noon, at: noon)
                )
            ],
            rememberedScreens: [
                RememberedScreenView(
                    screenID: text, client: text, isSelfNamed: true, deviceName: text,
                    since: TimeDisplay(noon - 90_000, at: noon), lastUsed: TimeDisplay(noon, at: noon)
                )
            ],
            identities: [
                ConnectedIdentityView(
                    identityName: text,
                    identityLabel: text,
                    issuer: text,
                    identitySubject: text,
                    connected: TimeDisplay(noon, at: noon)
                )
            ],
            providers: [provider(text)],
            passkeys: [
                PasskeyView(
                    credential: text, passkeyName: text, added: TimeDisplay(noon, at: noon),
                    used: TimeDisplay(noon, at: noon), isSynchronized: true)
            ],
            oneTimePasswords: OneTimePasswordView(enrolled: TimeDisplay(noon, at: noon), codesLeft: .verbatim(text)),
            offersPasskeys: true,
            offersOneTimePasswords: true,
            passwordChanged: TimeDisplay(noon - 90, at: noon),
            offersEmail: true,
            email: text,
            isEmailVerified: true,
            zoneName: text,
            offersBackchannelUserCode: true,
            hasBackchannelUserCode: true,
            pushBrowsers: [
                BrowserPushView(
                    pushSession: text, pushBrowser: .verbatim(text), pushAdded: TimeDisplay(noon, at: noon),
                    isPushHere: true)
            ],
            pushKey: text,
            pushRegistered: text,
            showsPush: true,
            isAdministrator: true
        )
    }

    /// An act that asks once.
    static func act(_ text: String) -> DestructiveAct {
        DestructiveAct(
            question: .text(.confirmationPasskey), name: .verbatim(text), identifier: text,
            loss: .text(.confirmationPasskeyLoss), button: .text(.confirmationRemove))
    }

    private static func news(_ text: String) -> AccountNewsView? {
        AccountNewsView(
            newPassword: TimeDisplay(noon - 90, at: noon),
            newDevices: [NewDeviceView(newDeviceModel: .verbatim(text), newDeviceAdded: TimeDisplay(noon, at: noon))],
            newSignIns: [NewSignInView(newSignInName: text, newSignInAdded: TimeDisplay(noon, at: noon))],
            screenUndos: [
                ScreenUndoView(
                    undoneApp: .verbatim(text), isUndoneNameOwn: true, undoneTime: TimeDisplay(noon, at: noon))
            ]
        )
    }
}
