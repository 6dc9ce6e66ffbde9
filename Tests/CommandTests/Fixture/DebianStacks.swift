/// The stacks of Debian 12, verbatim, with the module as `pam-auth-update` enables it.
enum DebianStacks {
    static let files = [
        "/etc/pam.d/sshd": sshd, "/etc/pam.d/sudo": sudo, "/etc/pam.d/su": su, "/etc/pam.d/login": login,
        "/etc/pam.d/common-auth": commonAuth,
    ]

    private static let commonAuth = #"""
        #
        # /etc/pam.d/common-auth - authentication settings common to all services
        #
        # This file is included from other service-specific PAM config files,
        # and should contain a list of the authentication modules that define
        # the central authentication scheme for use on the system
        # (e.g., /etc/shadow, LDAP, Kerberos, etc.).  The default is to use the
        # traditional Unix authentication mechanisms.
        #
        # As of pam 1.0.1-6, this file is managed by pam-auth-update by default.
        # To take advantage of this, it is recommended that you configure any
        # local modules either before or after the default block, and use
        # pam-auth-update to manage selection of other modules.  See
        # pam-auth-update(8) for details.

        # here are the per-package modules (the "Primary" block)
        auth	[success=2 authinfo_unavail=ignore user_unknown=ignore default=die]	pam_countersign.so
        auth	[success=1 default=ignore]	pam_unix.so nullok
        # here's the fallback if no module succeeds
        auth	requisite			pam_deny.so
        # prime the stack with a positive return value if there isn't one already;
        # this avoids us returning an error just because nothing sets a success code
        # since the modules above will each just jump around
        auth	required			pam_permit.so
        # and here are more per-package modules (the "Additional" block)
        auth	optional			pam_cap.so 
        # end of pam-auth-update config
        """#

    private static let sshd = #"""
        # PAM configuration for the Secure Shell service

        # Standard Un*x authentication.
        @include common-auth

        # Disallow non-root logins when /etc/nologin exists.
        account    required     pam_nologin.so

        # Uncomment and edit /etc/security/access.conf if you need to set complex
        # access limits that are hard to express in sshd_config.
        # account  required     pam_access.so

        # Standard Un*x authorization.
        @include common-account

        # SELinux needs to be the first session rule.  This ensures that any
        # lingering context has been cleared.  Without this it is possible that a
        # module could execute code in the wrong domain.
        session [success=ok ignore=ignore module_unknown=ignore default=bad]        pam_selinux.so close

        # Set the loginuid process attribute.
        session    required     pam_loginuid.so

        # Create a new session keyring.
        session    optional     pam_keyinit.so force revoke

        # Standard Un*x session setup and teardown.
        @include common-session

        # Print the message of the day upon successful login.
        # This includes a dynamically generated part from /run/motd.dynamic
        # and a static (admin-editable) part from /etc/motd.
        session    optional     pam_motd.so  motd=/run/motd.dynamic
        session    optional     pam_motd.so noupdate

        # Print the status of the user's mailbox upon successful login.
        session    optional     pam_mail.so standard noenv # [1]

        # Set up user limits from /etc/security/limits.conf.
        session    required     pam_limits.so

        # Read environment variables from /etc/environment and
        # /etc/security/pam_env.conf.
        session    required     pam_env.so # [1]
        # In Debian 4.0 (etch), locale-related environment variables were moved to
        # /etc/default/locale, so read that as well.
        session    required     pam_env.so user_readenv=1 envfile=/etc/default/locale

        # SELinux needs to intervene at login time to ensure that the process starts
        # in the proper default security context.  Only sessions which are intended
        # to run in the user's context should be run after this.
        session [success=ok ignore=ignore module_unknown=ignore default=bad]        pam_selinux.so open

        # Standard Un*x password updating.
        @include common-password
        """#

    private static let sudo = #"""
        #%PAM-1.0

        # Set up user limits from /etc/security/limits.conf.
        session    required   pam_limits.so

        @include common-auth
        @include common-account
        @include common-session-noninteractive
        """#

    private static let su = #"""
        #
        # The PAM configuration file for the Shadow `su' service
        #

        # This allows root to su without passwords (normal operation)
        auth       sufficient pam_rootok.so

        # Uncomment this to force users to be a member of group wheel
        # before they can use `su'. You can also add "group=foo"
        # to the end of this line if you want to use a group other
        # than the default "wheel" (but this may have side effect of
        # denying "root" user, unless she's a member of "foo" or explicitly
        # permitted earlier by e.g. "sufficient pam_rootok.so").
        # (Replaces the `SU_WHEEL_ONLY' option from login.defs)
        # auth       required   pam_wheel.so

        # Uncomment this if you want wheel members to be able to
        # su without a password.
        # auth       sufficient pam_wheel.so trust

        # Uncomment this if you want members of a specific group to not
        # be allowed to use su at all.
        # auth       required   pam_wheel.so deny group=nosu

        # Uncomment and edit /etc/security/time.conf if you need to set
        # time restrainst on su usage.
        # (Replaces the `PORTTIME_CHECKS_ENAB' option from login.defs
        # as well as /etc/porttime)
        # account    requisite  pam_time.so

        # This module parses environment configuration file(s)
        # and also allows you to use an extended config
        # file /etc/security/pam_env.conf.
        # 
        # parsing /etc/environment needs "readenv=1"
        session       required   pam_env.so readenv=1
        # locale variables are also kept into /etc/default/locale in etch
        # reading this file *in addition to /etc/environment* does not hurt
        session       required   pam_env.so readenv=1 envfile=/etc/default/locale

        # Defines the MAIL environment variable
        # However, userdel also needs MAIL_DIR and MAIL_FILE variables
        # in /etc/login.defs to make sure that removing a user 
        # also removes the user's mail spool file.
        # See comments in /etc/login.defs
        #
        # "nopen" stands to avoid reporting new mail when su'ing to another user
        session    optional   pam_mail.so nopen

        # Sets up user limits according to /etc/security/limits.conf
        # (Replaces the use of /etc/limits in old login)
        session    required   pam_limits.so

        # The standard Unix authentication modules, used with
        # NIS (man nsswitch) as well as normal /etc/passwd and
        # /etc/shadow entries.
        @include common-auth
        @include common-account
        @include common-session
        """#

    private static let login = #"""
        #
        # The PAM configuration file for the Shadow `login' service
        #

        # Enforce a minimal delay in case of failure (in microseconds).
        # (Replaces the `FAIL_DELAY' setting from login.defs)
        # Note that other modules may require another minimal delay. (for example,
        # to disable any delay, you should add the nodelay option to pam_unix)
        auth       optional   pam_faildelay.so  delay=3000000

        # Outputs an issue file prior to each login prompt (Replaces the
        # ISSUE_FILE option from login.defs). Uncomment for use
        # auth       required   pam_issue.so issue=/etc/issue

        # Disallows other than root logins when /etc/nologin exists
        # (Replaces the `NOLOGINS_FILE' option from login.defs)
        auth       requisite  pam_nologin.so

        # SELinux needs to be the first session rule. This ensures that any
        # lingering context has been cleared. Without this it is possible
        # that a module could execute code in the wrong domain.
        # When the module is present, "required" would be sufficient (When SELinux
        # is disabled, this returns success.)
        session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so close

        # Sets the loginuid process attribute
        session    required     pam_loginuid.so

        # Prints the message of the day upon successful login.
        # (Replaces the `MOTD_FILE' option in login.defs)
        # This includes a dynamically generated part from /run/motd.dynamic
        # and a static (admin-editable) part from /etc/motd.
        session    optional   pam_motd.so motd=/run/motd.dynamic
        session    optional   pam_motd.so noupdate

        # SELinux needs to intervene at login time to ensure that the process
        # starts in the proper default security context. Only sessions which are
        # intended to run in the user's context should be run after this.
        # pam_selinux.so changes the SELinux context of the used TTY and configures
        # SELinux in order to transition to the user context with the next execve()
        # call.
        session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so open
        # When the module is present, "required" would be sufficient (When SELinux
        # is disabled, this returns success.)

        # This module parses environment configuration file(s)
        # and also allows you to use an extended config
        # file /etc/security/pam_env.conf.
        # 
        # parsing /etc/environment needs "readenv=1"
        session       required   pam_env.so readenv=1
        # locale variables are also kept into /etc/default/locale in etch
        # reading this file *in addition to /etc/environment* does not hurt
        session       required   pam_env.so readenv=1 envfile=/etc/default/locale

        # Standard Un*x authentication.
        @include common-auth

        # This allows certain extra groups to be granted to a user
        # based on things like time of day, tty, service, and user.
        # Please edit /etc/security/group.conf to fit your needs
        # (Replaces the `CONSOLE_GROUPS' option in login.defs)
        auth       optional   pam_group.so

        # Uncomment and edit /etc/security/time.conf if you need to set
        # time restraint on logins.
        # (Replaces the `PORTTIME_CHECKS_ENAB' option from login.defs
        # as well as /etc/porttime)
        # account    requisite  pam_time.so

        # Uncomment and edit /etc/security/access.conf if you need to
        # set access limits.
        # (Replaces /etc/login.access file)
        # account  required       pam_access.so

        # Sets up user limits according to /etc/security/limits.conf
        # (Replaces the use of /etc/limits in old login)
        session    required   pam_limits.so

        # Prints the last login info upon successful login
        # (Replaces the `LASTLOG_ENAB' option from login.defs)
        session    optional   pam_lastlog.so

        # Prints the status of the user's mailbox upon successful login
        # (Replaces the `MAIL_CHECK_ENAB' option from login.defs). 
        #
        # This also defines the MAIL environment variable
        # However, userdel also needs MAIL_DIR and MAIL_FILE variables
        # in /etc/login.defs to make sure that removing a user 
        # also removes the user's mail spool file.
        # See comments in /etc/login.defs
        session    optional   pam_mail.so standard

        # Create a new session keyring.
        session    optional   pam_keyinit.so force revoke

        # Standard Un*x account and session
        @include common-account
        @include common-session
        @include common-password
        """#
}
