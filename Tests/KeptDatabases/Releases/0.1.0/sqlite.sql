PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('0001 tables');
CREATE TABLE clients (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    secret BLOB,
    grant_types TEXT NOT NULL,
    scope TEXT NOT NULL,
    token_format TEXT NOT NULL,
    audience TEXT,
    serves TEXT,
    code_lifetime REAL NOT NULL,
    access_token_lifetime REAL NOT NULL,
    refresh_token_lifetime REAL NOT NULL,
    created REAL NOT NULL,
    software_id TEXT,
    software_version TEXT,
    expires REAL,
    old_secret BLOB,
    old_secret_ends REAL,
    undone REAL,
    redirects TEXT,
    dpop TEXT NOT NULL,
    public_keys TEXT,
    registration_token BLOB,
    registration TEXT,
    backchannel TEXT,
    link_approval TEXT NOT NULL,
    minimum_evidence TEXT,
    id_token_algorithm TEXT
) STRICT;
INSERT INTO clients VALUES('kiosk','The kiosk',NULL,'urn:ietf:params:oauth:grant-type:device_code refresh_token','openid profile groups offline_access','opaque',NULL,NULL,300.0,3600.0,2592000.0,817633642.37559139728,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'allowed',NULL,NULL,NULL,NULL,'number',NULL,NULL);
INSERT INTO clients VALUES('reports','reports',X'de34b821f06ce66add615cfeaedaf55a5f01013714720bae07e24e1d9224c771','client_credentials','reports.read','opaque',NULL,NULL,300.0,3600.0,2592000.0,817633643.46863567832,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'allowed',NULL,NULL,NULL,NULL,'number',NULL,NULL);
CREATE TABLE initial_access_tokens (
    id TEXT NOT NULL PRIMARY KEY,
    token BLOB NOT NULL UNIQUE,
    allowance TEXT NOT NULL,
    uses INTEGER NOT NULL,
    created REAL NOT NULL,
    expires REAL NOT NULL
) STRICT;
CREATE TABLE domains (
    name TEXT NOT NULL PRIMARY KEY,
    display_name TEXT NOT NULL,
    credential BLOB NOT NULL UNIQUE,
    sign_on TEXT NOT NULL,
    affiliation TEXT,
    redirect_uris TEXT NOT NULL,
    token_lifetime REAL NOT NULL,
    created REAL NOT NULL
) STRICT;
INSERT INTO domains VALUES('radio.example.com','Our Radio',X'3c7371d25a69ff5c263c803d6952139c7dad5a6910f5da164a643ac06fb7602a','ask',NULL,'[]',86400.0,817633650.59730505942);
CREATE TABLE people (
    subject TEXT NOT NULL PRIMARY KEY,
    username TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    email TEXT,
    email_verified INTEGER NOT NULL,
    locale TEXT,
    zone_info TEXT,
    updated REAL,
    attributes TEXT,
    email_verification TEXT,
    password TEXT,
    backchannel_user_code BLOB,
    standing TEXT NOT NULL,
    removal REAL,
    role TEXT NOT NULL,
    created REAL NOT NULL,
    password_changed REAL
) STRICT;
INSERT INTO people VALUES('gdXVCTKvmtp8v6jaWX2yNQ','olga','Olga Old','olga@example.org',1,NULL,NULL,NULL,NULL,NULL,'$scrypt$ln=17,r=8,p=1$OeskKj3ogtqPINp7jmFRYg$8QIu169HcGVB+3JHPItHf2C28rnWBCMGH5DKX7niZ0k',NULL,'active',NULL,'user',817633648.17144322397,NULL);
CREATE TABLE action_links (
    digest BLOB NOT NULL UNIQUE,
    subject TEXT NOT NULL UNIQUE,
    act TEXT NOT NULL,
    email TEXT,
    created REAL NOT NULL,
    expires REAL NOT NULL,
    used REAL
) STRICT;
INSERT INTO action_links VALUES(X'8a5e7109751fa0b1b34d7d7f5e72ee081a092d3a826e68c69021ba0e33c1dccd','8bd-2ij9RhRNe7EMafRyJw','invitation','new@example.org',817633650.94183945653,818238450.94183945657,NULL);
CREATE TABLE browser_sessions (
    cookie BLOB NOT NULL UNIQUE,
    id TEXT NOT NULL,
    subject TEXT NOT NULL,
    authenticated REAL NOT NULL,
    authentication TEXT NOT NULL,
    expires REAL NOT NULL,
    opening TEXT,
    browser TEXT,
    address TEXT,
    last_used REAL NOT NULL
) STRICT;
INSERT INTO browser_sessions VALUES(X'cbe4a0b4eed43a2bf1a7ca5e5a474f96d067d00d2b9e00026c9ae1a93375dc0a','lEF8Cq37zrVuA1Odk3hJ6Q','gdXVCTKvmtp8v6jaWX2yNQ',817633657.14033222194,'{"password":{}}',817676857.14037573333,NULL,'curl','127.0.0.1',817633657.14033222194);
CREATE TABLE server_keys (
    id TEXT NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL,
    secret BLOB NOT NULL,
    created REAL NOT NULL,
    activates REAL NOT NULL,
    retired REAL
) STRICT;
INSERT INTO server_keys VALUES('7EBEf1IaEEBevjAPm9mKcA','signES256',X'0bb2d6548376c895e5b45726fb418d4b263b3356909c8aff7aa61f1168010da8',817633652.44698143008,817633652.44698143008,NULL);
INSERT INTO server_keys VALUES('JU07-Q4L5E-greXpyB4EJQ','userCodes',X'e2a0c1cb449e7bff099cee1452a7f1a0cc6915d2509cdef2567b534907768801',817633652.44698143008,817633652.44698143008,NULL);
INSERT INTO server_keys VALUES('UNPxa_FyL3Ww74x3HI45Rg','forms',X'3d55e700ab0ab7eea187611da39c08f630b16e8fda08fc0223848fe9338971ba',817633652.44698143008,817633652.44698143008,NULL);
INSERT INTO server_keys VALUES('gBMDv73rMZnXGKs_rmAuhg','secondFactors',X'c8aa9984d4fa22021532dc5b73ca33428b78b3a3236baf716354125bd5a7ee55',817633652.44698143008,817633652.44698143008,NULL);
INSERT INTO server_keys VALUES('9JxAFOS2w_aspXZlKKWwiQ','signRS256',X'308204a20201000282010100c53763349d23068be9ef4784182b9f5724d7f1232f8f01ce3b2dcfdc76f9071db53a046dcd8513b48ec7359cfaecda777339af3417aac7a06cf6f90740437bcdc44bb7c54110ef42ce63060f8bc4518ab23b53750f8ada5ab97bfaa9ecfd5e320be27945f33311c5872e32baf96dd8de643b998fc30e6faae0630736300bcd750990ee9356a51feb0ae9dda64ff15e16ad75c139b001861378c9a99b20a05446978385c61303385906ebbb2a47cdd31bdc0b9b88384a18d6ad5334152b8b2ebe874e46e856f24ac7bd1f01b33f2aa1d5a4d9ed5d015e3564249de99c063a0b5786091b7a1238285410675579be0b127d1bdd31f0ae1390da83a077b62f527cef02030100010282010003e53cade8deacbdedc07eb2a2c195d3a454299caecf4dd35382eba4a8aaf1938a255bba0981b3ea709989bb108fc61eeee5384b389e7473fc4302973c9338aa4f52c98df9638abe50924f27d67469c1ea1456e92c85eb1b38a7b4c34f7d8fb3405dd85463e1e1db7b7893a2f2d35321cd6c09f3f77fdcffcc8fd8301f51d45c8f06892cd435fc3ad32d22ae62acef89976515b76f08da2cca0b6b77719164ef83c107ae66b0a31028401ad53d782879f4700e1c48bb48196e83f678175ccaba552de55c086c7289394fb443a8ee9aeff9447a91a450964d5d40a42c4566f0d79e0e0201ccbcb3f6736ce30bdc3a9b9ea1cc72d72e02eeff85ec8797c193c53902818100fa70d5e3d602f01ba09212f9059bf6691eb3186436d1f5c57ba5300dd614bfe3ab4a724303f2a69c3e25d02401a1bc5a48c85c24c33429f8d9f30a400c577704b5c55970ecbc79552dac6b055796c00ca84340c4cd76a50a34ce658b2f822342a577e4552fdd5153c40fb5a98f79c5eb16eb1c87ce7316998c32dad4657ae84902818100c99818cfa936061ed5a2ac051fc0732486062c24871240f999d3641f3b26eb51e0be7a5c52ca3734449e26e0a3d4e337a7a145d8f538931054a1ebec4b0766d14579ca9370d6cd755bf207a0845945a35f2e63664a9a04d7678d93e764ab00fcdea9ec547efae308b9a2f9f159e21d28d3c9514e348ad22aa2942c33874a6b7702818068a5e7aa798de6b914a2954cfb3c0d7e2576ded55956e8a4e9a2bfeeb82b1977cfe69ed243ff0c01b3b26743f46e99defc14c4f413a1637c79ce25d55792e0c7d610adec12f03a9f0e23c2e08b96118ff86b89cff2af060dbabd180f4dfdca301a267c01e0ab51457862bc1d2b37ce2d0af99985620e133e7c27efeadab0be090281805027c3a5bdf81712e78ad8aee8e31265314cfefc3f2088e935ba9192c1684624b621c6713311e845460b441609ce39d2053ae094d55bfb4d80f928df392de639cb5013b5f025d86793797682e25cc48da2e8c4e9053c9c34319e5f729fda467844e87769595bd42dc1f205436ba3b648677d2270dfff5a754d537107c401591d028180323bb32cc974be95f92fb103b7933246e1a6d249b11bb7a0dfcecebdf72cab28a81b8c3b74ad29f4e37168dc27a2e45ffdedae80571d1912d2f59306bb0b1a80216e37ae60684fb1b905d14b1884d73244c280380d82147fa63302567fcadcd63c37045ec87ea9100256f49248a4471b67dcca2b5b3f2e8a68e1d86870fd8861',817633652.50755500792,817633652.50755500792,NULL);
CREATE TABLE people_groups (
    name TEXT NOT NULL PRIMARY KEY,
    note TEXT,
    member_of TEXT NOT NULL,
    created REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO people_groups VALUES('staff','All who work here','[]',817633649.10423851012);
CREATE TABLE group_members (
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (subject, name)
) STRICT, WITHOUT ROWID;
INSERT INTO group_members VALUES('gdXVCTKvmtp8v6jaWX2yNQ','staff');
CREATE TABLE claim_mappings (
    claim TEXT NOT NULL PRIMARY KEY,
    attribute TEXT,
    group_values TEXT,
    form TEXT NOT NULL,
    scope TEXT NOT NULL,
    created REAL NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO claim_mappings VALUES('roles',NULL,'[]','list','groups',817633650.26519823075);
CREATE TABLE identity_providers (
    id TEXT NOT NULL PRIMARY KEY,
    display_name TEXT NOT NULL,
    issuer TEXT NOT NULL,
    kind TEXT NOT NULL,
    makes_accounts INTEGER NOT NULL,
    created REAL NOT NULL,
    exchangers TEXT NOT NULL
) STRICT;
CREATE TABLE linked_identities (
    issuer TEXT NOT NULL,
    identity TEXT NOT NULL,
    subject TEXT NOT NULL,
    label TEXT,
    linked REAL NOT NULL,
    PRIMARY KEY (issuer, identity)
) STRICT, WITHOUT ROWID;
CREATE TABLE provider_visits (
    state BLOB NOT NULL UNIQUE,
    browser BLOB NOT NULL,
    provider TEXT NOT NULL,
    purpose TEXT NOT NULL,
    target TEXT NOT NULL,
    started REAL NOT NULL,
    expires REAL NOT NULL
) STRICT;
CREATE TABLE passkeys (
    credential TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    user_handle TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    backup_eligible INTEGER NOT NULL,
    backed_up INTEGER NOT NULL,
    transports TEXT NOT NULL,
    name TEXT NOT NULL,
    created REAL NOT NULL,
    last_used REAL
) STRICT;
CREATE TABLE used_challenges (
    challenge BLOB NOT NULL UNIQUE,
    expires REAL NOT NULL
) STRICT;
CREATE TABLE one_time_passwords (
    subject TEXT NOT NULL PRIMARY KEY,
    sealed_secret BLOB NOT NULL,
    moving_factor TEXT NOT NULL,
    last_accepted INTEGER,
    drift INTEGER NOT NULL,
    enrolled REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE recovery_codes (
    subject TEXT NOT NULL PRIMARY KEY,
    digests BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE environments (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    icon_url TEXT,
    sealed_secret BLOB NOT NULL,
    replaced_secret BLOB,
    replaced_secret_ends REAL,
    webhook TEXT,
    legacy_devices INTEGER NOT NULL,
    text_prefixes TEXT NOT NULL,
    texts_per_day INTEGER,
    created REAL NOT NULL
) STRICT;
CREATE TABLE authenticator_apps (
    app_key TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    bundle_id TEXT,
    push_project TEXT,
    created REAL NOT NULL
) STRICT;
CREATE TABLE devices (
    id TEXT NOT NULL PRIMARY KEY,
    dialect TEXT NOT NULL,
    subject TEXT,
    grant_id TEXT,
    app_key TEXT,
    details TEXT NOT NULL,
    push_token TEXT,
    push_enabled INTEGER NOT NULL,
    development INTEGER NOT NULL,
    push_died REAL,
    phone_number TEXT,
    status TEXT NOT NULL,
    created REAL NOT NULL,
    last_seen REAL NOT NULL
) STRICT;
CREATE TABLE device_environments (
    device TEXT NOT NULL,
    environment TEXT NOT NULL,
    sealed_secret BLOB,
    subject TEXT,
    added REAL NOT NULL,
    PRIMARY KEY (device, environment)
) STRICT, WITHOUT ROWID;
CREATE TABLE enrollment_tickets (
    digest BLOB NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    client TEXT,
    environment TEXT,
    sealed_secret BLOB,
    evidence TEXT NOT NULL,
    made REAL NOT NULL,
    expires REAL NOT NULL,
    used REAL,
    grant_id TEXT,
    gave_sign_in INTEGER NOT NULL,
    session TEXT
) STRICT;
CREATE TABLE person_codes (
    digest BLOB NOT NULL UNIQUE,
    subject TEXT NOT NULL PRIMARY KEY,
    approver_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    expires REAL NOT NULL,
    request_id TEXT
) STRICT;
CREATE TABLE quiet_times (
    subject TEXT NOT NULL PRIMARY KEY,
    ends REAL NOT NULL
) STRICT;
CREATE TABLE exchanges (
    device_code BLOB NOT NULL UNIQUE,
    user_code BLOB NOT NULL UNIQUE,
    nearby_challenge BLOB,
    authorization_binding TEXT,
    backchannel TEXT,
    browser_return TEXT,
    remembered_person TEXT,
    authenticator TEXT,
    terms TEXT,
    browser_session TEXT,
    poll_interval INTEGER NOT NULL,
    phase TEXT NOT NULL,
    approver_subject TEXT,
    approver_id TEXT,
    since REAL,
    taking_evidence TEXT,
    nearby_link BLOB,
    grant_id TEXT,
    grant_subject TEXT,
    grant_client TEXT,
    grant_scope TEXT,
    evidence TEXT,
    approved REAL,
    grant_ends REAL,
    grant_ends_with TEXT,
    grant_screen TEXT,
    request_id TEXT NOT NULL,
client TEXT NOT NULL,
client_provenance TEXT NOT NULL,
scope TEXT NOT NULL,
scope_provenance TEXT NOT NULL,
domain TEXT,
domain_provenance TEXT,
addressee TEXT,
address TEXT,
address_provenance TEXT,
device_name TEXT,
device_name_provenance TEXT,
software TEXT,
software_provenance TEXT,
asked REAL NOT NULL,
asked_provenance TEXT NOT NULL,
deadline REAL NOT NULL,
    UNIQUE (request_id)
) STRICT;
INSERT INTO exchanges VALUES(X'01a2266aa3d884df1151db97c7a3a51e535e45a12cf17c02f59fd29d481952a9',X'90e5f2ed551775bc9e11573f322973fd4804c5e30f0fe07fca85dd4c7680ba61',NULL,NULL,NULL,NULL,NULL,NULL,'{"answer":{"answered":817633657.9513241,"place":{"browser":{"_0":"lEF8Cq37zrVuA1Odk3hJ6Q"}}},"demands":{"all":[],"classes":[]},"isUnmet":false,"link":"number","showsNumber":false}',NULL,5,'redeemed',NULL,NULL,817633658.30627799035,NULL,NULL,'1k8j6le30tmNsRy1HQ_9Xr','gdXVCTKvmtp8v6jaWX2yNQ','kiosk','openid profile offline_access','{"proofs":[{"codeTyped":{}},{"accountPassword":{"at":817633657.1403322}},{"network":{"_0":"yes"}}]}',817633657.95132410523,NULL,NULL,NULL,'1k8j6l8v3bNJ00MSa17eXX','kiosk','asserted','openid profile offline_access','verified',NULL,NULL,NULL,'127.0.0.1','observed',NULL,NULL,'curl/7.88.1','asserted',817633652.696023941,'observed',817633952.69602394104);
CREATE TABLE sign_ins (
    signed_in REAL NOT NULL,
    last_used REAL NOT NULL,
    ends REAL NOT NULL,
    revoked REAL,
    approver_key BLOB,
    session TEXT,
    session_expires REAL,
    from_ticket INTEGER NOT NULL,
    grant_id TEXT NOT NULL UNIQUE,
    grant_subject TEXT NOT NULL,
    grant_client TEXT NOT NULL,
    grant_scope TEXT NOT NULL,
    evidence TEXT NOT NULL,
    approved REAL NOT NULL,
    grant_ends REAL,
    grant_ends_with TEXT,
    grant_screen TEXT,
    request_id TEXT NOT NULL,
client TEXT NOT NULL,
client_provenance TEXT NOT NULL,
scope TEXT NOT NULL,
scope_provenance TEXT NOT NULL,
domain TEXT,
domain_provenance TEXT,
addressee TEXT,
address TEXT,
address_provenance TEXT,
device_name TEXT,
device_name_provenance TEXT,
software TEXT,
software_provenance TEXT,
asked REAL NOT NULL,
asked_provenance TEXT NOT NULL,
deadline REAL NOT NULL
) STRICT;
INSERT INTO sign_ins VALUES(817633658.30289793014,817633658.68448495861,820225718.68448495863,NULL,NULL,NULL,NULL,0,'1k8j6le30tmNsRy1HQ_9Xr','gdXVCTKvmtp8v6jaWX2yNQ','kiosk','openid profile offline_access','{"proofs":[{"codeTyped":{}},{"accountPassword":{"at":817633657.1403322}},{"network":{"_0":"yes"}}]}',817633657.95132410523,NULL,NULL,NULL,'1k8j6l8v3bNJ00MSa17eXX','kiosk','asserted','openid profile offline_access','verified',NULL,NULL,NULL,'127.0.0.1','observed',NULL,NULL,'curl/7.88.1','asserted',817633652.696023941,'observed',817633952.69602394104);
CREATE TABLE remembered_screens (
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    client TEXT NOT NULL,
    name TEXT,
    since REAL NOT NULL,
    last_used REAL NOT NULL
) STRICT;
CREATE TABLE client_notices (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    client TEXT NOT NULL,
    subject TEXT NOT NULL,
    occurred REAL NOT NULL,
    attempts INTEGER NOT NULL,
    due REAL NOT NULL,
    sealed BLOB,
    grant_id TEXT,
    PRIMARY KEY (kind, name)
) STRICT;
CREATE TABLE deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    words BLOB,
    environment TEXT,
    request_id TEXT,
    device TEXT,
    made REAL NOT NULL,
    expires REAL NOT NULL,
    attempts INTEGER NOT NULL,
    due REAL NOT NULL,
    state TEXT NOT NULL,
    ended REAL,
    lane TEXT NOT NULL,
    receiver TEXT NOT NULL
) STRICT;
CREATE TABLE phone_numbers (
    number TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    device TEXT,
    verified REAL NOT NULL,
    move_device TEXT,
    move_subject TEXT,
    move_due REAL
) STRICT, WITHOUT ROWID;
INSERT INTO phone_numbers VALUES('+12125550100','gdXVCTKvmtp8v6jaWX2yNQ',NULL,817633648.69102597232,NULL,NULL,NULL);
CREATE TABLE phone_registrations (
    device TEXT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    number TEXT,
    before_number TEXT,
    code BLOB,
    sent REAL,
    wrong INTEGER NOT NULL,
    until REAL,
    codes_sent INTEGER NOT NULL,
    last_sent REAL,
    touched REAL NOT NULL
) STRICT;
CREATE TABLE mutes (
    subject TEXT NOT NULL,
    client TEXT NOT NULL,
    cause TEXT NOT NULL,
    since REAL NOT NULL,
    PRIMARY KEY (subject, client)
) STRICT, WITHOUT ROWID;
CREATE TABLE consents (
    subject TEXT NOT NULL,
    client TEXT NOT NULL,
    scope TEXT NOT NULL,
    given REAL NOT NULL,
    PRIMARY KEY (subject, client)
) STRICT, WITHOUT ROWID;
CREATE TABLE pushed_requests (
    reference BLOB NOT NULL UNIQUE,
    client TEXT NOT NULL,
    parameters TEXT NOT NULL,
    expires REAL NOT NULL
) STRICT;
CREATE TABLE access_tokens (
    number INTEGER PRIMARY KEY NOT NULL,
    token BLOB NOT NULL,
    id TEXT NOT NULL,
    client TEXT NOT NULL,
    subject TEXT,
    grant_id TEXT,
    scope TEXT NOT NULL,
    audience TEXT NOT NULL,
    issued REAL NOT NULL,
    expires REAL NOT NULL,
    key_thumbprint TEXT,
    authenticated REAL,
    acr TEXT,
    evidence TEXT
) STRICT;
INSERT INTO access_tokens VALUES(7532721925746083974,X'01a2266ab9bf91221b04db65b3044ee75c2244e314cfda2a8934bf8c7736afcc','1k8j6ledvpzHB72IDeF7En','kiosk','gdXVCTKvmtp8v6jaWX2yNQ','1k8j6le30tmNsRy1HQ_9Xr','openid profile offline_access','http://localhost:8080',817633658.30289793014,817637258.3028979301,NULL,817633657.14033222194,'urn:countersign:acr:password','code network same ');
INSERT INTO access_tokens VALUES(7532721927347293345,X'01a2266abb3d5332879e39dce51991c3cd6d80f0c6948313bb5ef76e71d575de','1k8j6leptMs5nxtPWKHYeK','kiosk','gdXVCTKvmtp8v6jaWX2yNQ','1k8j6le30tmNsRy1HQ_9Xr','openid profile offline_access','http://localhost:8080',817633658.68448495861,817637258.68448495865,NULL,817633657.14033222194,'urn:countersign:acr:password','code network same ');
INSERT INTO access_tokens VALUES(7532721927802229819,X'01a2266abba9ca50ee57621e5385ac287a111ae7f6ea0f42139337d48e4d0ab8','1k8j6let9r_414SbGMLGLv','reports',NULL,NULL,'reports.read','http://localhost:8080',817633658.79281437393,817637258.79281437397,NULL,NULL,NULL,NULL);
CREATE TABLE refresh_tokens (
    family BLOB NOT NULL PRIMARY KEY,
    token BLOB NOT NULL,
    grant_id TEXT NOT NULL,
    client TEXT NOT NULL,
    issued REAL NOT NULL,
    expires REAL NOT NULL,
    key_thumbprint TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO refresh_tokens VALUES(X'01a2266ab9bf06905d0e3af6bafae2ec8a9e360386baf38d7721a7a7c39cdd6d',X'8d4d1b0e725006cafdb2283016e140149cce44a67d6029a969d261e6208eabb3','1k8j6le30tmNsRy1HQ_9Xr','kiosk',817633658.68448495861,820225658.68448495864,NULL);
CREATE TABLE repeatable_answers (
    grant_id TEXT NOT NULL UNIQUE,
    credential BLOB NOT NULL,
    answer BLOB NOT NULL,
    answered REAL NOT NULL,
    deadline REAL,
    ends REAL NOT NULL
) STRICT;
INSERT INTO repeatable_answers VALUES('1k8j6le30tmNsRy1HQ_9Xr',X'020dbb70d6331e5773f449f85533832079be4670a7eacbc152b15e3509da2efd',X'f5591edee32c1e85f1a59b17f9ac171bcf92a583e39d94ae79d15cabc80c5fda1b9148ee99579755b9fe83a2ca06318f387b2e314f86bfdfaa6d848423e473de70244557b9298816941bf1202754873153767a3342246ec3500ba2aeb1f570574898336e10cb5ae30ed54fe5efb8549e9b3b578be040fd611217a06321e5b236d1b986d4a69b4bb45dbbb8f205494f757397d8f9a56920feef7094e69ee4beb4147807d4d77461a442ad58e6f53a61a6f7dc7982fad113228c6fda448cbb26067969437b13338dd4b52cf4e1be0a6bdc3cc088e3c249bcc35e659b5ded5c585243779031f11a4ce0817d6a824eb2e0e004329e9215d7e176b631e912635f0745d4de568cb63db7910ed0159d89d64ae63767602d6a6a84c9f5820cab025c1b56823ef6851643d808ec71e9319816cdb18330e79c4834c64e2cec109119074bcd262cd80e853a6c138f23472d34cf2937ae7bd7ab83bbb8336a79b4c6417b54e9c96288bf59003a10b32e914e9fc1f43c26df3d09ab8f5399a33036165a452755f44fed9c77f8b88a74e8a156415c03ecaf7979610b4c19cef9feb4a0bcaab71b88d095185444b75a490185a44d10c36c8fed2da2da6a6cf693890de1045b37aca4a041a64c7c0aea7934e79c8b4d209f4ae4a30021e578c210e162e39da65607c7d41ac0f6d3e44c65a1c7d3d40c33b879c88ae12bc32f7c329cf4ab33025befa3be6bf9363b0d819514697a32fa482b49cc24859e82fccd7f660b5f60e75c55201c78ee3abe797f793d50341d646ea3d6b21cceae342c3d9d8654a1e0825583a71aacb5e82fc746d9948faab51efd05d148b051f4480b40bace82d657f7ae129fcb0acf890244bf66e3a86c68d082208d0760b8cd04be48059effa44a7f43051a805f84dcc54e610c0f6dd1fdd575448dd720049d476ac008dedfb1ba221688e90ec1330875f94f3bf56cf77e8213c3e02a34fd081d85810c79585e0cb339c19ff91823d234b4bd0e8df1ee0ea805bbcfbc4fb8e3800626070b87a9b419957986023e97951cc3a7cba3cb2e4a0eba2dbd55b22611671f50d13e54914abe6a53376dd76c102c8ef5fc6d790cf685405a6a060cdc1f320f0a444a0135d8edfd340d23e3d4a7e829ab6462c50751cf8459e996addfcca8b8de416a8a7a5a08e8f8564d4031ff28091580ff8f7151f0332c09879bea6460bbc1d1e8b2728c90e1003cab27c0a4d6d2ae102ef56ffd2d9fb77f8eae466b04c73deaf1d6476dfa6ee4f2fe1c109ccdb9d05fb63061eaf29b547351ed28fc0fb2452d0e67dbbf46f14f150246769fb5e535c3528bcacc307f72e48315507ccf72dd770a8a1d91d3ab74ba2b550a9b3aed6511e4475d6367e7654dc39fc5111bd8c261dc50663e0329f05e8775414f2b44abdc562a676b60855aba8f902f1b2cdb0f07ffb0023b112eaf24416f405e3bcad2ca',817633658.68695235252,NULL,817637258.68695235248);
CREATE TABLE decision_nonces (
    nonce BLOB NOT NULL UNIQUE,
    request_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    shown BLOB NOT NULL,
    expires REAL NOT NULL,
    decision_type TEXT NOT NULL
) STRICT;
CREATE TABLE signed_decisions (
    request_id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    approver_key BLOB NOT NULL,
    decided REAL NOT NULL,
    signed TEXT NOT NULL
) STRICT;
CREATE TABLE counts (
    key BLOB NOT NULL PRIMARY KEY,
    times INTEGER NOT NULL,
    ends REAL NOT NULL,
    drained REAL,
    counted REAL
) STRICT, WITHOUT ROWID;
INSERT INTO counts VALUES(X'12b596c81d762b96500cd2bd0d573ee2',1,817806457.14037573336,NULL,NULL);
INSERT INTO counts VALUES(X'13fb8b49b75eb3e80b751d4f1ea01b8b',1,817634257.57435059543,NULL,NULL);
INSERT INTO counts VALUES(X'41145fd7ecf64f9dcde91b1112136a6e',1,817634252.70737493041,NULL,NULL);
INSERT INTO counts VALUES(X'70869eccd14d9257886a426704e66dd1',1,820225658.14037573335,NULL,NULL);
INSERT INTO counts VALUES(X'7a574e7c8b556b7a76076391b35da40f',0,817637252.95675718784,817633657.14233601092,817633657.14233601092);
INSERT INTO counts VALUES(X'867b6bb808cc4c43be7c1c3193e2546c',1,817634252.70737493041,NULL,NULL);
INSERT INTO counts VALUES(X'9e7fba8016530319376443016ab8a83f',1,817806517.14037573335,NULL,NULL);
INSERT INTO counts VALUES(X'ba8bc8a2340c49923e44bf918e4bb8d6',0,817634252.95675718788,817633657.14233601092,817633657.14233601092);
INSERT INTO counts VALUES(X'c1c90da65b1e007b3fa54b862e2f9a5b',0,817634252.95675718788,NULL,NULL);
CREATE TABLE audit (
    number INTEGER NOT NULL PRIMARY KEY,
    at REAL NOT NULL,
    act TEXT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT,
    client TEXT,
    request_id TEXT,
    address TEXT,
    detail TEXT,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO audit VALUES(1,817633642.37559139728,'client.added','operator',NULL,'kiosk',NULL,NULL,NULL,X'0000000000000000000000000000000000000000000000000000000000000000',X'75873920e0a3cbb695186d5cbe5685839b6439d87984b2c0d3479575f39b39c0');
INSERT INTO audit VALUES(2,817633643.46863567832,'client.added','operator',NULL,'reports',NULL,NULL,NULL,X'75873920e0a3cbb695186d5cbe5685839b6439d87984b2c0d3479575f39b39c0',X'3e3a352a7e189b868d076ed6daebce8a34ce01c4a273be7c755bfe19e83be520');
INSERT INTO audit VALUES(3,817633648.17144322397,'person.added','operator','gdXVCTKvmtp8v6jaWX2yNQ',NULL,NULL,NULL,NULL,X'3e3a352a7e189b868d076ed6daebce8a34ce01c4a273be7c755bfe19e83be520',X'5e507aa930d0b748ce5bb6dae40d441315e8081e2b7470bb4958ea2a762fc5c8');
INSERT INTO audit VALUES(4,817633648.69106495381,'person.phone_number_added','operator','gdXVCTKvmtp8v6jaWX2yNQ',NULL,NULL,NULL,NULL,X'5e507aa930d0b748ce5bb6dae40d441315e8081e2b7470bb4958ea2a762fc5c8',X'66482e7978a07356f704e203a5d247ac9e144be70c33cc221526f4c089e75ac0');
INSERT INTO audit VALUES(5,817633649.10567271712,'group.added','operator',NULL,NULL,NULL,NULL,'staff',X'66482e7978a07356f704e203a5d247ac9e144be70c33cc221526f4c089e75ac0',X'c22cfeb0276df3257047dda4afd4b249658d8f02bae9bc6cc6c5c8dae09c0137');
INSERT INTO audit VALUES(6,817633649.70445263383,'group.member_added','operator',NULL,NULL,NULL,NULL,'staff: gdXVCTKvmtp8v6jaWX2yNQ',X'c22cfeb0276df3257047dda4afd4b249658d8f02bae9bc6cc6c5c8dae09c0137',X'1846ac4a23c2a4815b9b77b565102ce6f4da6a7769e730c5ce3bcd95a226e1f5');
INSERT INTO audit VALUES(7,817633650.26519823075,'claim.added','operator',NULL,NULL,NULL,NULL,'roles',X'1846ac4a23c2a4815b9b77b565102ce6f4da6a7769e730c5ce3bcd95a226e1f5',X'42481c6fbbb2ab0875fcacf10e493d92051951196a05980acf5fa7d97bd819b3');
INSERT INTO audit VALUES(8,817633650.6094905138,'domain.added','operator',NULL,NULL,NULL,NULL,'radio.example.com',X'42481c6fbbb2ab0875fcacf10e493d92051951196a05980acf5fa7d97bd819b3',X'3269a0c66d213bfaa8a49c3de78987742cd778e2fc6fcc4be9519585af3b9095');
INSERT INTO audit VALUES(9,817633650.94183945653,'person.invited','operator',NULL,NULL,NULL,NULL,'until 2026-12-06T08:27:30Z',X'3269a0c66d213bfaa8a49c3de78987742cd778e2fc6fcc4be9519585af3b9095',X'2c69ea7a183306c50ab60f63a79dfc8722181df5a4f37631142b80fed773c742');
INSERT INTO audit VALUES(10,817633652.44698143008,'key.added','server',NULL,NULL,NULL,NULL,'7EBEf1IaEEBevjAPm9mKcA',X'2c69ea7a183306c50ab60f63a79dfc8722181df5a4f37631142b80fed773c742',X'875b102ab8399ed43ca444f6ab81da6cb0547f27101be919ce889493dd8921ff');
INSERT INTO audit VALUES(11,817633652.44698143008,'key.added','server',NULL,NULL,NULL,NULL,'JU07-Q4L5E-greXpyB4EJQ',X'875b102ab8399ed43ca444f6ab81da6cb0547f27101be919ce889493dd8921ff',X'fea79d62f89bdd49531861009064c91e49bfa25354144203d548d264f6202f7f');
INSERT INTO audit VALUES(12,817633652.44698143008,'key.added','server',NULL,NULL,NULL,NULL,'UNPxa_FyL3Ww74x3HI45Rg',X'fea79d62f89bdd49531861009064c91e49bfa25354144203d548d264f6202f7f',X'18e45a59d5f6fb1dfe708e08e06321078a3d4b8db565a465db53d154fdd69c08');
INSERT INTO audit VALUES(13,817633652.44698143008,'key.added','server',NULL,NULL,NULL,NULL,'gBMDv73rMZnXGKs_rmAuhg',X'18e45a59d5f6fb1dfe708e08e06321078a3d4b8db565a465db53d154fdd69c08',X'24084992203cd07eebc77523c7578fc433998340b382e61771dbe2415d202569');
INSERT INTO audit VALUES(14,817633652.50755500792,'key.added','server',NULL,NULL,NULL,NULL,'9JxAFOS2w_aspXZlKKWwiQ',X'24084992203cd07eebc77523c7578fc433998340b382e61771dbe2415d202569',X'509d5f4fd356532bac197ec86614d8f673992662f25696aa320b28b32f8bd788');
INSERT INTO audit VALUES(15,817633657.14037573341,'browser.signed_in','person','gdXVCTKvmtp8v6jaWX2yNQ',NULL,NULL,'127.0.0.1',NULL,X'509d5f4fd356532bac197ec86614d8f673992662f25696aa320b28b32f8bd788',X'b867c069b1d2c13b3ef667a1204cebb40e683b174f86d24bd1ca2b6ba47e6847');
INSERT INTO audit VALUES(16,817633657.57342648509,'sign_in.taken','person','gdXVCTKvmtp8v6jaWX2yNQ','kiosk','1k8j6l8v3bNJ00MSa17eXX','127.0.0.1','asked 2026-11-29T08:27:32Z from 127.0.0.1, link: number, code_typed',X'b867c069b1d2c13b3ef667a1204cebb40e683b174f86d24bd1ca2b6ba47e6847',X'f77a0a527dbb2084ccdef3c23f64a2d24cff9b38929760052dad58747d2d56fc');
INSERT INTO audit VALUES(17,817633657.95132410523,'sign_in.approved','person','gdXVCTKvmtp8v6jaWX2yNQ','kiosk','1k8j6l8v3bNJ00MSa17eXX','127.0.0.1','code_typed account_password same_network',X'f77a0a527dbb2084ccdef3c23f64a2d24cff9b38929760052dad58747d2d56fc',X'a84bb44a641072cb23031e218054d158d13f025a062f20fefef5c29f8466e4ca');
INSERT INTO audit VALUES(18,817633658.30289793014,'sign_in.redeemed','client','gdXVCTKvmtp8v6jaWX2yNQ','kiosk','1k8j6l8v3bNJ00MSa17eXX',NULL,NULL,X'a84bb44a641072cb23031e218054d158d13f025a062f20fefef5c29f8466e4ca',X'091ff558ef56c271d8b9396c5323cba2f902a2eef8529db2a876500659351b62');
CREATE TABLE audit_ends (
    name TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO audit_ends VALUES('head',18,X'091ff558ef56c271d8b9396c5323cba2f902a2eef8529db2a876500659351b62');
CREATE INDEX clients_by_expiry ON clients (expires) WHERE expires IS NOT NULL;
CREATE INDEX clients_of_operator ON clients (id) WHERE expires IS NULL;
CREATE INDEX initial_access_tokens_by_expiry ON initial_access_tokens (expires);
CREATE INDEX people_by_email ON people (lower(email), subject);
CREATE INDEX people_by_name ON people (lower(name), subject);
CREATE INDEX people_by_removal ON people (removal) WHERE removal IS NOT NULL;
CREATE INDEX action_links_by_expiry ON action_links (expires);
CREATE INDEX action_links_by_email ON action_links (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX browser_sessions_by_subject ON browser_sessions (subject, expires DESC, cookie);
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires);
CREATE INDEX group_members_by_group ON group_members (name, subject);
CREATE INDEX linked_identities_by_subject ON linked_identities (subject);
CREATE INDEX provider_visits_by_expiry ON provider_visits (expires);
CREATE INDEX passkeys_by_subject ON passkeys (subject, created, credential);
CREATE INDEX used_challenges_by_expiry ON used_challenges (expires);
CREATE UNIQUE INDEX devices_by_sign_in ON devices (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX devices_by_subject ON devices (subject, created, id) WHERE subject IS NOT NULL;
CREATE INDEX devices_by_number ON devices (phone_number, created, id) WHERE phone_number IS NOT NULL;
CREATE INDEX devices_by_push_token ON devices (push_token, created, id) WHERE push_token IS NOT NULL;
CREATE INDEX devices_by_sighting ON devices (last_seen);
CREATE INDEX devices_of_nobody ON devices (last_seen) WHERE subject IS NULL;
CREATE INDEX device_environments_by_instant ON device_environments (device, added, environment);
CREATE INDEX device_environments_by_environment ON device_environments (environment);
CREATE INDEX enrollment_tickets_by_subject ON enrollment_tickets (subject);
CREATE INDEX enrollment_tickets_by_expiry ON enrollment_tickets (expires);
CREATE INDEX person_codes_by_expiry ON person_codes (expires);
CREATE INDEX quiet_times_by_end ON quiet_times (ends);
CREATE INDEX exchanges_by_deadline ON exchanges (deadline);
CREATE INDEX exchanges_by_approval ON exchanges (grant_subject, approved)
    WHERE phase = 'approved';
CREATE INDEX exchanges_by_addressee ON exchanges (addressee, asked)
    WHERE addressee IS NOT NULL AND phase IN ('open', 'taken');
CREATE INDEX exchanges_by_remembered_person ON exchanges (remembered_person, asked)
    WHERE remembered_person IS NOT NULL AND phase IN ('open', 'taken');
CREATE INDEX exchanges_by_cancellation ON exchanges (COALESCE(addressee, remembered_person), asked)
    WHERE phase = 'cancelled';
CREATE INDEX sign_ins_by_subject ON sign_ins (grant_subject, signed_in) WHERE revoked IS NULL;
CREATE INDEX sign_ins_by_client ON sign_ins (grant_client, signed_in) WHERE revoked IS NULL;
CREATE INDEX sign_ins_by_domain ON sign_ins (domain) WHERE domain IS NOT NULL AND revoked IS NULL;
CREATE INDEX sign_ins_by_session ON sign_ins (session)
    WHERE session IS NOT NULL AND revoked IS NULL;
CREATE INDEX sign_ins_by_approver_end ON sign_ins (grant_ends_with)
    WHERE grant_ends_with IS NOT NULL AND revoked IS NULL;
CREATE INDEX sign_ins_by_end ON sign_ins (ends);
CREATE INDEX remembered_screens_by_subject ON remembered_screens (subject, last_used, id);
CREATE INDEX remembered_screens_by_subject_and_client ON remembered_screens (subject, client, last_used, id);
CREATE INDEX remembered_screens_by_client ON remembered_screens (client);
CREATE INDEX remembered_screens_by_use ON remembered_screens (last_used);
CREATE INDEX client_notices_by_due ON client_notices (due, name, client);
CREATE INDEX deliveries_by_due ON deliveries (lane, due, id, receiver) WHERE state = 'waiting';
CREATE INDEX deliveries_by_environment ON deliveries (environment, made, id) WHERE environment IS NOT NULL;
CREATE INDEX deliveries_by_request ON deliveries (request_id, made, id) WHERE request_id IS NOT NULL;
CREATE INDEX deliveries_by_new_device ON deliveries (kind, made, id) WHERE kind = 'new_device';
CREATE INDEX deliveries_by_limit_alarm ON deliveries (kind, made, id) WHERE kind = 'limit_alarm';
CREATE INDEX deliveries_not_delivered ON deliveries (made, id)
    WHERE attempts > 0 AND state <> 'delivered' AND state <> 'withdrawn';
CREATE INDEX deliveries_by_expiry ON deliveries (expires);
CREATE INDEX phone_numbers_by_subject ON phone_numbers (subject, number);
CREATE INDEX phone_numbers_by_move ON phone_numbers (move_due) WHERE move_due IS NOT NULL;
CREATE INDEX phone_registrations_by_number ON phone_registrations (number) WHERE number IS NOT NULL;
CREATE INDEX phone_registrations_by_touch ON phone_registrations (touched) WHERE state <> 'verified';
CREATE INDEX mutes_by_instant ON mutes (subject, since, client);
CREATE INDEX mutes_by_client ON mutes (client);
CREATE INDEX consents_by_client ON consents (client);
CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires);
CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX access_tokens_by_client ON access_tokens (client);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires);
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
CREATE INDEX repeatable_answers_by_end ON repeatable_answers (ends);
CREATE INDEX decision_nonces_by_request ON decision_nonces (request_id);
CREATE INDEX decision_nonces_by_expiry ON decision_nonces (expires);
CREATE INDEX signed_decisions_by_instant ON signed_decisions (decided);
CREATE INDEX counts_by_end ON counts (ends);
CREATE INDEX audit_by_request ON audit (request_id, number) WHERE request_id IS NOT NULL;
CREATE INDEX audit_by_subject ON audit (subject, number) WHERE subject IS NOT NULL;
COMMIT;
