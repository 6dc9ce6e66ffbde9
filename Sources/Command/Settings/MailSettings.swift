/// The settings of mails, which ``DeliveryConfiguration`` reads.
enum MailSettings: SettingSection {
    static let settings = [
        Setting(
            "mail", takes: "gateway",
            "Who sends mails: sendmail, postmark, mailgun, outbox (files on this machine, see admin outbox), or off. (default: off)"
        ),
        Setting("mail-from", takes: "address", "The address that mails come from.", needs: "mail"),
        Setting(
            "mail-program", takes: "path",
            "The program that takes mails as sendmail does, such as msmtp. (default: /usr/sbin/sendmail)", needs: "mail"
        ),
        Setting(
            "mail-credentials", takes: "file",
            "A file with the gateway's secret: the token of a server for postmark; a sending key for mailgun.",
            form: .secretFile(replacedBy: "mail-secret"), needs: "mail"),
        Setting(
            "mail-domain", takes: "domain", "The sending domain at mailgun. (default: that of mail-from)", needs: "mail"
        ),
        Setting(
            "mail-host", takes: "url",
            "Another address of the gateway, without a path. (default: that of the gateway)", needs: "mail"),
    ]
}
