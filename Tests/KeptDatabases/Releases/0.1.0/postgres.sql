CREATE TABLE access_tokens (
    number bigint NOT NULL,
    token bytea NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    grant_id text COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    audience text NOT NULL COLLATE pg_catalog."C",
    issued double precision NOT NULL,
    expires double precision NOT NULL,
    key_thumbprint text COLLATE pg_catalog."C",
    authenticated double precision,
    acr text COLLATE pg_catalog."C",
    evidence text COLLATE pg_catalog."C"
);
CREATE TABLE action_links (
    digest bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    act text NOT NULL COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    created double precision NOT NULL,
    expires double precision NOT NULL,
    used double precision
);
CREATE TABLE audit (
    number bigint NOT NULL,
    at double precision NOT NULL,
    act text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    client text COLLATE pg_catalog."C",
    request_id text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    detail text COLLATE pg_catalog."C",
    previous bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE audit_ends (
    name text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE authenticator_apps (
    app_key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    bundle_id text COLLATE pg_catalog."C",
    push_project text COLLATE pg_catalog."C",
    created double precision NOT NULL
);
CREATE TABLE browser_sessions (
    cookie bytea NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    authenticated double precision NOT NULL,
    authentication text NOT NULL COLLATE pg_catalog."C",
    expires double precision NOT NULL,
    opening text COLLATE pg_catalog."C",
    browser text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    last_used double precision NOT NULL
);
CREATE TABLE claim_mappings (
    claim text NOT NULL COLLATE pg_catalog."C",
    attribute text COLLATE pg_catalog."C",
    group_values text COLLATE pg_catalog."C",
    form text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL
);
CREATE TABLE client_notices (
    kind text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    occurred double precision NOT NULL,
    attempts bigint NOT NULL,
    due double precision NOT NULL,
    sealed bytea,
    grant_id text COLLATE pg_catalog."C"
);
CREATE TABLE clients (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    secret bytea,
    grant_types text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    token_format text NOT NULL COLLATE pg_catalog."C",
    audience text COLLATE pg_catalog."C",
    serves text COLLATE pg_catalog."C",
    code_lifetime double precision NOT NULL,
    access_token_lifetime double precision NOT NULL,
    refresh_token_lifetime double precision NOT NULL,
    created double precision NOT NULL,
    software_id text COLLATE pg_catalog."C",
    software_version text COLLATE pg_catalog."C",
    expires double precision,
    old_secret bytea,
    old_secret_ends double precision,
    undone double precision,
    redirects text COLLATE pg_catalog."C",
    dpop text NOT NULL COLLATE pg_catalog."C",
    public_keys text COLLATE pg_catalog."C",
    registration_token bytea,
    registration text COLLATE pg_catalog."C",
    backchannel text COLLATE pg_catalog."C",
    link_approval text NOT NULL COLLATE pg_catalog."C",
    minimum_evidence text COLLATE pg_catalog."C",
    id_token_algorithm text COLLATE pg_catalog."C"
);
CREATE TABLE commits (
    node text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    committed timestamp with time zone NOT NULL
);
CREATE TABLE consents (
    subject text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    given double precision NOT NULL
);
CREATE TABLE counts (
    key bytea NOT NULL,
    times bigint NOT NULL,
    ends double precision NOT NULL,
    drained double precision,
    counted double precision
);
CREATE TABLE decision_nonces (
    nonce bytea NOT NULL,
    request_id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    grant_id text NOT NULL COLLATE pg_catalog."C",
    shown bytea NOT NULL,
    expires double precision NOT NULL,
    decision_type text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE deliveries (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    words bytea,
    environment text COLLATE pg_catalog."C",
    request_id text COLLATE pg_catalog."C",
    device text COLLATE pg_catalog."C",
    made double precision NOT NULL,
    expires double precision NOT NULL,
    attempts bigint NOT NULL,
    due double precision NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    ended double precision,
    lane text NOT NULL COLLATE pg_catalog."C",
    receiver text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE device_environments (
    device text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    sealed_secret bytea,
    subject text COLLATE pg_catalog."C",
    added double precision NOT NULL
);
CREATE TABLE devices (
    id text NOT NULL COLLATE pg_catalog."C",
    dialect text NOT NULL COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    grant_id text COLLATE pg_catalog."C",
    app_key text COLLATE pg_catalog."C",
    details text NOT NULL COLLATE pg_catalog."C",
    push_token text COLLATE pg_catalog."C",
    push_enabled bigint NOT NULL,
    development bigint NOT NULL,
    push_died double precision,
    phone_number text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL,
    last_seen double precision NOT NULL
);
CREATE TABLE domains (
    name text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    credential bytea NOT NULL,
    sign_on text NOT NULL COLLATE pg_catalog."C",
    affiliation text COLLATE pg_catalog."C",
    redirect_uris text NOT NULL COLLATE pg_catalog."C",
    token_lifetime double precision NOT NULL,
    created double precision NOT NULL
);
CREATE TABLE enrollment_tickets (
    digest bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    client text COLLATE pg_catalog."C",
    environment text COLLATE pg_catalog."C",
    sealed_secret bytea,
    evidence text NOT NULL COLLATE pg_catalog."C",
    made double precision NOT NULL,
    expires double precision NOT NULL,
    used double precision,
    grant_id text COLLATE pg_catalog."C",
    gave_sign_in bigint NOT NULL,
    session text COLLATE pg_catalog."C"
);
CREATE TABLE environments (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    icon_url text COLLATE pg_catalog."C",
    sealed_secret bytea NOT NULL,
    replaced_secret bytea,
    replaced_secret_ends double precision,
    webhook text COLLATE pg_catalog."C",
    legacy_devices bigint NOT NULL,
    text_prefixes text NOT NULL COLLATE pg_catalog."C",
    texts_per_day bigint,
    created double precision NOT NULL
);
CREATE TABLE exchanges (
    device_code bytea NOT NULL,
    user_code bytea NOT NULL,
    nearby_challenge bytea,
    authorization_binding text COLLATE pg_catalog."C",
    backchannel text COLLATE pg_catalog."C",
    browser_return text COLLATE pg_catalog."C",
    remembered_person text COLLATE pg_catalog."C",
    authenticator text COLLATE pg_catalog."C",
    terms text COLLATE pg_catalog."C",
    browser_session text COLLATE pg_catalog."C",
    poll_interval bigint NOT NULL,
    phase text NOT NULL COLLATE pg_catalog."C",
    approver_subject text COLLATE pg_catalog."C",
    approver_id text COLLATE pg_catalog."C",
    since double precision,
    taking_evidence text COLLATE pg_catalog."C",
    nearby_link bytea,
    grant_id text COLLATE pg_catalog."C",
    grant_subject text COLLATE pg_catalog."C",
    grant_client text COLLATE pg_catalog."C",
    grant_scope text COLLATE pg_catalog."C",
    evidence text COLLATE pg_catalog."C",
    approved double precision,
    grant_ends double precision,
    grant_ends_with text COLLATE pg_catalog."C",
    grant_screen text COLLATE pg_catalog."C",
    request_id text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    client_provenance text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    scope_provenance text NOT NULL COLLATE pg_catalog."C",
    domain text COLLATE pg_catalog."C",
    domain_provenance text COLLATE pg_catalog."C",
    addressee text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    address_provenance text COLLATE pg_catalog."C",
    device_name text COLLATE pg_catalog."C",
    device_name_provenance text COLLATE pg_catalog."C",
    software text COLLATE pg_catalog."C",
    software_provenance text COLLATE pg_catalog."C",
    asked double precision NOT NULL,
    asked_provenance text NOT NULL COLLATE pg_catalog."C",
    deadline double precision NOT NULL,
    arrival bigint NOT NULL
);
ALTER TABLE exchanges ALTER COLUMN arrival ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME exchanges_arrival_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE group_members (
    subject text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE identity_providers (
    id text NOT NULL COLLATE pg_catalog."C",
    display_name text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    makes_accounts bigint NOT NULL,
    created double precision NOT NULL,
    exchangers text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE initial_access_tokens (
    id text NOT NULL COLLATE pg_catalog."C",
    token bytea NOT NULL,
    allowance text NOT NULL COLLATE pg_catalog."C",
    uses bigint NOT NULL,
    created double precision NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE linked_identities (
    issuer text NOT NULL COLLATE pg_catalog."C",
    identity text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    label text COLLATE pg_catalog."C",
    linked double precision NOT NULL
);
CREATE TABLE migrations (
    name text NOT NULL COLLATE pg_catalog."C",
    applied timestamp with time zone DEFAULT now() NOT NULL,
    requires text COLLATE pg_catalog."C"
);
CREATE TABLE mutes (
    subject text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    cause text NOT NULL COLLATE pg_catalog."C",
    since double precision NOT NULL
);
CREATE TABLE one_time_passwords (
    subject text NOT NULL COLLATE pg_catalog."C",
    sealed_secret bytea NOT NULL,
    moving_factor text NOT NULL COLLATE pg_catalog."C",
    last_accepted bigint,
    drift bigint NOT NULL,
    enrolled double precision NOT NULL
);
CREATE TABLE passkeys (
    credential text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    user_handle text NOT NULL COLLATE pg_catalog."C",
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    backup_eligible bigint NOT NULL,
    backed_up bigint NOT NULL,
    transports text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL,
    last_used double precision
);
CREATE TABLE people (
    subject text NOT NULL COLLATE pg_catalog."C",
    username text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    email_verified bigint NOT NULL,
    locale text COLLATE pg_catalog."C",
    zone_info text COLLATE pg_catalog."C",
    updated double precision,
    attributes text COLLATE pg_catalog."C",
    email_verification text COLLATE pg_catalog."C",
    password text COLLATE pg_catalog."C",
    backchannel_user_code bytea,
    standing text NOT NULL COLLATE pg_catalog."C",
    removal double precision,
    role text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL,
    password_changed double precision
);
CREATE TABLE people_groups (
    name text NOT NULL COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    member_of text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL
);
CREATE TABLE person_codes (
    digest bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    approver_id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    expires double precision NOT NULL,
    request_id text COLLATE pg_catalog."C"
);
CREATE TABLE phone_numbers (
    number text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    device text COLLATE pg_catalog."C",
    verified double precision NOT NULL,
    move_device text COLLATE pg_catalog."C",
    move_subject text COLLATE pg_catalog."C",
    move_due double precision
);
CREATE TABLE phone_registrations (
    device text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    number text COLLATE pg_catalog."C",
    before_number text COLLATE pg_catalog."C",
    code bytea,
    sent double precision,
    wrong bigint NOT NULL,
    until double precision,
    codes_sent bigint NOT NULL,
    last_sent double precision,
    touched double precision NOT NULL
);
CREATE TABLE provider_visits (
    state bytea NOT NULL,
    browser bytea NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    started double precision NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE pushed_requests (
    reference bytea NOT NULL,
    client text NOT NULL COLLATE pg_catalog."C",
    parameters text NOT NULL COLLATE pg_catalog."C",
    expires double precision NOT NULL
);
CREATE TABLE quiet_times (
    subject text NOT NULL COLLATE pg_catalog."C",
    ends double precision NOT NULL
);
CREATE TABLE recovery_codes (
    subject text NOT NULL COLLATE pg_catalog."C",
    digests bytea NOT NULL
);
CREATE TABLE refresh_tokens (
    family bytea NOT NULL,
    token bytea NOT NULL,
    grant_id text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    issued double precision NOT NULL,
    expires double precision NOT NULL,
    key_thumbprint text COLLATE pg_catalog."C"
);
CREATE TABLE remembered_screens (
    id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    since double precision NOT NULL,
    last_used double precision NOT NULL
);
CREATE TABLE repeatable_answers (
    grant_id text NOT NULL COLLATE pg_catalog."C",
    credential bytea NOT NULL,
    answer bytea NOT NULL,
    answered double precision NOT NULL,
    deadline double precision,
    ends double precision NOT NULL
);
CREATE TABLE server_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    secret bytea NOT NULL,
    created double precision NOT NULL,
    activates double precision NOT NULL,
    retired double precision,
    arrival bigint NOT NULL
);
ALTER TABLE server_keys ALTER COLUMN arrival ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME server_keys_arrival_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE sign_ins (
    signed_in double precision NOT NULL,
    last_used double precision NOT NULL,
    ends double precision NOT NULL,
    revoked double precision,
    approver_key bytea,
    session text COLLATE pg_catalog."C",
    session_expires double precision,
    from_ticket bigint NOT NULL,
    grant_id text NOT NULL COLLATE pg_catalog."C",
    grant_subject text NOT NULL COLLATE pg_catalog."C",
    grant_client text NOT NULL COLLATE pg_catalog."C",
    grant_scope text NOT NULL COLLATE pg_catalog."C",
    evidence text NOT NULL COLLATE pg_catalog."C",
    approved double precision NOT NULL,
    grant_ends double precision,
    grant_ends_with text COLLATE pg_catalog."C",
    grant_screen text COLLATE pg_catalog."C",
    request_id text NOT NULL COLLATE pg_catalog."C",
    client text NOT NULL COLLATE pg_catalog."C",
    client_provenance text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    scope_provenance text NOT NULL COLLATE pg_catalog."C",
    domain text COLLATE pg_catalog."C",
    domain_provenance text COLLATE pg_catalog."C",
    addressee text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    address_provenance text COLLATE pg_catalog."C",
    device_name text COLLATE pg_catalog."C",
    device_name_provenance text COLLATE pg_catalog."C",
    software text COLLATE pg_catalog."C",
    software_provenance text COLLATE pg_catalog."C",
    asked double precision NOT NULL,
    asked_provenance text NOT NULL COLLATE pg_catalog."C",
    deadline double precision NOT NULL,
    arrival bigint NOT NULL
);
ALTER TABLE sign_ins ALTER COLUMN arrival ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sign_ins_arrival_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE signed_decisions (
    request_id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    grant_id text NOT NULL COLLATE pg_catalog."C",
    approver_key bytea NOT NULL,
    decided double precision NOT NULL,
    signed text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE used_challenges (
    challenge bytea NOT NULL,
    expires double precision NOT NULL
);
INSERT INTO access_tokens (number, token, id, client, subject, grant_id, scope, audience, issued, expires, key_thumbprint, authenticated, acr, evidence) VALUES (7532722015862427321, '\x01a2266b0dacfa3ae7dadba52985759443d1048086d4dadc79aee0e198e8c67c', '1k8j6m3dbefaruNOAPuCPD', 'kiosk', 'cXM_lBReHTlOFI4FErqOqg', '1k8j6m2m9CxoZBmaXySxRx', 'openid profile offline_access', 'http://localhost:8080', 817633679.7728149, 817637279.7728149, NULL, 817633677.7600182, 'urn:countersign:acr:password', 'code network same ');
INSERT INTO access_tokens (number, token, id, client, subject, grant_id, scope, audience, issued, expires, key_thumbprint, authenticated, acr, evidence) VALUES (7532722018068112642, '\x01a2266b0fbada940b203a26fa0f77c1393166b1e96a5be6dae0103cbdc8dd71', '1k8j6m3tq0IUwtWJXqDeLO', 'kiosk', 'cXM_lBReHTlOFI4FErqOqg', '1k8j6m2m9CxoZBmaXySxRx', 'openid profile offline_access', 'http://localhost:8080', 817633680.3137276, 817637280.3137276, NULL, 817633677.7600182, 'urn:countersign:acr:password', 'code network same ');
INSERT INTO access_tokens (number, token, id, client, subject, grant_id, scope, audience, issued, expires, key_thumbprint, authenticated, acr, evidence) VALUES (7532722018323138541, '\x01a2266b0ff7a81fb43a66d43222dbbb6160c1ffeac86ed3a29c0ec8881fee26', '1k8j6m3vnw9UI_4FMsCani', 'reports', NULL, NULL, 'reports.read', 'http://localhost:8080', 817633680.3754033, 817637280.3754033, NULL, NULL, NULL, NULL);
INSERT INTO action_links (digest, subject, act, email, created, expires, used) VALUES ('\xac99ced7ebcc60ef6410f548da9b09864cf6931d7517bdad26a894e56accda40', '6zWMfQ8WGAKCCsUhXvGKCg', 'invitation', 'new@example.org', 817633671.4577727, 818238471.4577727, NULL);
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (1, 817633662.4844378, 'client.added', 'operator', NULL, 'kiosk', NULL, NULL, NULL, '\x0000000000000000000000000000000000000000000000000000000000000000', '\x396324ce09a58b74b57d851a163a5adedf8c5ccaaed57f14788ce3f75732d2da');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (2, 817633663.6416798, 'client.added', 'operator', NULL, 'reports', NULL, NULL, NULL, '\x396324ce09a58b74b57d851a163a5adedf8c5ccaaed57f14788ce3f75732d2da', '\x945dd40e9440beea0c7ef93a2aa158b7327f66e6a262071c99e94b372636fedf');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (3, 817633668.0426393, 'person.added', 'operator', 'cXM_lBReHTlOFI4FErqOqg', NULL, NULL, NULL, NULL, '\x945dd40e9440beea0c7ef93a2aa158b7327f66e6a262071c99e94b372636fedf', '\x8529d9862106ba47cd4a93d8716ba513092001ae082679d703d20e97916228bd');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (4, 817633668.6290495, 'person.phone_number_added', 'operator', 'cXM_lBReHTlOFI4FErqOqg', NULL, NULL, NULL, NULL, '\x8529d9862106ba47cd4a93d8716ba513092001ae082679d703d20e97916228bd', '\x322f6a5710128bd041ecd8c00b2bf7ae9e436b23a923fa7aa9bdd4906e448174');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (5, 817633669.3065065, 'group.added', 'operator', NULL, NULL, NULL, NULL, 'staff', '\x322f6a5710128bd041ecd8c00b2bf7ae9e436b23a923fa7aa9bdd4906e448174', '\x2af2ba2887c044dcefb2e2921f0b715199eb8282aca0d7dbe43a70ee88dcdbb6');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (6, 817633670.0196717, 'group.member_added', 'operator', NULL, NULL, NULL, NULL, 'staff: cXM_lBReHTlOFI4FErqOqg', '\x2af2ba2887c044dcefb2e2921f0b715199eb8282aca0d7dbe43a70ee88dcdbb6', '\x3cf41b4d9f32f8f8d589c6eb43bb99dee3fbd2cee8c693ce55f3cdd70527c9d1');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (7, 817633670.6078857, 'claim.added', 'operator', NULL, NULL, NULL, NULL, 'roles', '\x3cf41b4d9f32f8f8d589c6eb43bb99dee3fbd2cee8c693ce55f3cdd70527c9d1', '\xf4068f04c84fcfb1227517580ce626ba426ec0563be0cc21b4b267f1ede6133d');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (8, 817633671.2102113, 'domain.added', 'operator', NULL, NULL, NULL, NULL, 'radio.example.com', '\xf4068f04c84fcfb1227517580ce626ba426ec0563be0cc21b4b267f1ede6133d', '\x82fd99dbb4a9e45a96c34247e56c333bdd44c35a6eda5eaf3d890cfafadb92ff');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (9, 817633671.4577727, 'person.invited', 'operator', NULL, NULL, NULL, NULL, 'until 2026-12-06T08:27:51Z', '\x82fd99dbb4a9e45a96c34247e56c333bdd44c35a6eda5eaf3d890cfafadb92ff', '\x4b0e54d080599db162174d5149674d4bf63f7457c916b8792d34f1ab853aaa03');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (10, 817633672.8587798, 'key.added', 'server', NULL, NULL, NULL, NULL, 'Zzr0DyLqwzz9PSl4lsfkLQ', '\x4b0e54d080599db162174d5149674d4bf63f7457c916b8792d34f1ab853aaa03', '\x5003e28ae68aef3d0563d6a25fedbdb9d03c2519c1d6b7d2a7688223572dcd86');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (11, 817633672.8587798, 'key.added', 'server', NULL, NULL, NULL, NULL, 'sKYhjiXQvdWriF1Se4RqHQ', '\x5003e28ae68aef3d0563d6a25fedbdb9d03c2519c1d6b7d2a7688223572dcd86', '\x01f18cf73329c7e7cf38b2709374722ba94b313ba9f43f23f39f7f8a3e0481a8');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (12, 817633672.8587798, 'key.added', 'server', NULL, NULL, NULL, NULL, '5eyWhwSJydbd0bXbjB1P9g', '\x01f18cf73329c7e7cf38b2709374722ba94b313ba9f43f23f39f7f8a3e0481a8', '\xb8c657104e9a34c1bac9f7905b25da25c514bade68b7c4fbf08be6e01a5f64a7');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (13, 817633672.8587798, 'key.added', 'server', NULL, NULL, NULL, NULL, 'HwFBkrfqZ3TNcnoHJe7qrQ', '\xb8c657104e9a34c1bac9f7905b25da25c514bade68b7c4fbf08be6e01a5f64a7', '\x7b279d7bb480dfda5292940e55c4efa0a445992b1b6007579d30dd02cb66b6b4');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (14, 817633672.9198694, 'key.added', 'server', NULL, NULL, NULL, NULL, 'UuhrKUbeLYB2cFCWSTvYSA', '\x7b279d7bb480dfda5292940e55c4efa0a445992b1b6007579d30dd02cb66b6b4', '\x915f47d6089e2e7802ade94e03b73d20fb22804f5f6578b964076c2d5a4ce92b');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (15, 817633677.7600621, 'browser.signed_in', 'person', 'cXM_lBReHTlOFI4FErqOqg', NULL, NULL, '127.0.0.1', NULL, '\x915f47d6089e2e7802ade94e03b73d20fb22804f5f6578b964076c2d5a4ce92b', '\xae7fa5a666d07dc9512dc678347eaa4f817299cb4048b2b8723671b5cd59f160');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (16, 817633678.3510661, 'sign_in.taken', 'person', 'cXM_lBReHTlOFI4FErqOqg', 'kiosk', '1k8j6lsr4uFuVkFTKZ2bw1', '127.0.0.1', 'asked 2026-11-29T08:27:52Z from 127.0.0.1, link: number, code_typed', '\xae7fa5a666d07dc9512dc678347eaa4f817299cb4048b2b8723671b5cd59f160', '\xd925d2a36ee7c410645f071d2a6a25016ae6522b2136aad71e43c80c53bcb868');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (17, 817633679.04313, 'sign_in.approved', 'person', 'cXM_lBReHTlOFI4FErqOqg', 'kiosk', '1k8j6lsr4uFuVkFTKZ2bw1', '127.0.0.1', 'code_typed account_password same_network', '\xd925d2a36ee7c410645f071d2a6a25016ae6522b2136aad71e43c80c53bcb868', '\x950015bd8c47ad04205cf20b2670aeb3cf8607ccc074f24253537de7970700ae');
INSERT INTO audit (number, at, act, actor, subject, client, request_id, address, detail, previous, hash) VALUES (18, 817633679.7728149, 'sign_in.redeemed', 'client', 'cXM_lBReHTlOFI4FErqOqg', 'kiosk', '1k8j6lsr4uFuVkFTKZ2bw1', NULL, NULL, '\x950015bd8c47ad04205cf20b2670aeb3cf8607ccc074f24253537de7970700ae', '\x650238325324db4e579c5baf029278470cc1a45d98cbd81f5ebf51d11835e32d');
INSERT INTO audit_ends (name, number, hash) VALUES ('head', 18, '\x650238325324db4e579c5baf029278470cc1a45d98cbd81f5ebf51d11835e32d');
INSERT INTO browser_sessions (cookie, id, subject, authenticated, authentication, expires, opening, browser, address, last_used) VALUES ('\xdc536f8c4cb97709559485d4f88efe5cfd8399858030d7ed28974dd580382b56', 'G-B0x3TdtS9MRmtgWCqswQ', 'cXM_lBReHTlOFI4FErqOqg', 817633677.7600182, '{"password":{}}', 817676877.7600621, NULL, 'curl', '127.0.0.1', 817633677.7600182);
INSERT INTO claim_mappings (claim, attribute, group_values, form, scope, created) VALUES ('roles', NULL, '[]', 'list', 'groups', 817633670.6078857);
INSERT INTO clients (id, name, secret, grant_types, scope, token_format, audience, serves, code_lifetime, access_token_lifetime, refresh_token_lifetime, created, software_id, software_version, expires, old_secret, old_secret_ends, undone, redirects, dpop, public_keys, registration_token, registration, backchannel, link_approval, minimum_evidence, id_token_algorithm) VALUES ('kiosk', 'The kiosk', NULL, 'urn:ietf:params:oauth:grant-type:device_code refresh_token', 'openid profile groups offline_access', 'opaque', NULL, NULL, 300, 3600, 2592000, 817633662.4844378, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'allowed', NULL, NULL, NULL, NULL, 'number', NULL, NULL);
INSERT INTO clients (id, name, secret, grant_types, scope, token_format, audience, serves, code_lifetime, access_token_lifetime, refresh_token_lifetime, created, software_id, software_version, expires, old_secret, old_secret_ends, undone, redirects, dpop, public_keys, registration_token, registration, backchannel, link_approval, minimum_evidence, id_token_algorithm) VALUES ('reports', 'reports', '\x2c636942f470d364099aac0a569a996ee73adf1166abbb98c6dad1bf3bb68a65', 'client_credentials', 'reports.read', 'opaque', NULL, NULL, 300, 3600, 2592000, 817633663.6416798, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'allowed', NULL, NULL, NULL, NULL, 'number', NULL, NULL);
INSERT INTO commits (node, number, committed) VALUES ('D3702344-DDDF-4F54-BF81-73E5D39BBBAD', 2, '2026-11-29 08:27:43.135673+00');
INSERT INTO commits (node, number, committed) VALUES ('601FEF5C-4DAA-422F-8E1C-0A93DB83F1B9', 2, '2026-11-29 08:27:43.843301+00');
INSERT INTO commits (node, number, committed) VALUES ('24A2C042-5006-4D6E-A68E-0AC7B66C7F11', 1, '2026-11-29 08:27:48.1593+00');
INSERT INTO commits (node, number, committed) VALUES ('942B0A1E-7EAA-47DC-9281-6BDF1336F352', 1, '2026-11-29 08:27:48.727701+00');
INSERT INTO commits (node, number, committed) VALUES ('186602AB-3306-4181-9712-C0DC7C00AAEA', 1, '2026-11-29 08:27:49.300227+00');
INSERT INTO commits (node, number, committed) VALUES ('D3D6B327-88CF-430C-AD7B-DCC729513453', 1, '2026-11-29 08:27:50.014+00');
INSERT INTO commits (node, number, committed) VALUES ('333EECF0-A0B2-4A1C-A634-2DAE85D90BEF', 1, '2026-11-29 08:27:50.631315+00');
INSERT INTO commits (node, number, committed) VALUES ('3527D2BF-A67B-4B6C-879F-E1F3648ED7A4', 1, '2026-11-29 08:27:51.209833+00');
INSERT INTO commits (node, number, committed) VALUES ('44362982-91FB-49D7-B617-6788A8522DFB', 1, '2026-11-29 08:27:51.602966+00');
INSERT INTO commits (node, number, committed) VALUES ('FAF26051-9248-4941-AF1B-562D86B0CB35', 10, '2026-11-29 08:28:00.375881+00');
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x41145fd7ecf64f9dcde91b1112136a6e', 1, 817634273.0594343, NULL, NULL);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x867b6bb808cc4c43be7c1c3193e2546c', 1, 817634273.0594343, NULL, NULL);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x12b596c81d762b96500cd2bd0d573ee2', 1, 817806477.7600621, NULL, NULL);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x5470f29180ab90c12aebf1186e256fe9', 1, 820225678.7600621, NULL, NULL);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x66b17fd5f11666ce3c2c506bec4352df', 1, 817806537.7600621, NULL, NULL);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x7a574e7c8b556b7a76076391b35da40f', 0, 817637273.5998958, 817633677.7673563, 817633677.7673563);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\xba8bc8a2340c49923e44bf918e4bb8d6', 0, 817634273.5998958, 817633677.7673563, 817633677.7673563);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\xc1c90da65b1e007b3fa54b862e2f9a5b', 0, 817634273.5998958, NULL, NULL);
INSERT INTO counts (key, times, ends, drained, counted) VALUES ('\x70a6943ea7d12d8968d448245cfe771f', 1, 817634278.3546762, NULL, NULL);
INSERT INTO domains (name, display_name, credential, sign_on, affiliation, redirect_uris, token_lifetime, created) VALUES ('radio.example.com', 'Our Radio', '\xcbd2fa44a92cac0b1049f0c1c624da98026df550ae589ba3d55175a17ca3adcb', 'ask', NULL, '[]', 86400, 817633671.1221964);
INSERT INTO exchanges (device_code, user_code, nearby_challenge, authorization_binding, backchannel, browser_return, remembered_person, authenticator, terms, browser_session, poll_interval, phase, approver_subject, approver_id, since, taking_evidence, nearby_link, grant_id, grant_subject, grant_client, grant_scope, evidence, approved, grant_ends, grant_ends_with, grant_screen, request_id, client, client_provenance, scope, scope_provenance, domain, domain_provenance, addressee, address, address_provenance, device_name, device_name_provenance, software, software_provenance, asked, asked_provenance, deadline, arrival) OVERRIDING SYSTEM VALUE VALUES ('\x01a2266af30a0128f118704c2af276907cc15a3317b25654018b47d544c9cd9d', '\x2122767e061ce7ba9cbcc3afc5bd6afdc8efc566b78c0d1c4b55a405d1958bf2', NULL, NULL, NULL, NULL, NULL, NULL, '{"answer":{"answered":817633679.04313,"place":{"browser":{"_0":"G-B0x3TdtS9MRmtgWCqswQ"}}},"demands":{"all":[],"classes":[]},"isUnmet":false,"link":"number","showsNumber":false}', NULL, 5, 'redeemed', NULL, NULL, 817633679.8123336, NULL, NULL, '1k8j6m2m9CxoZBmaXySxRx', 'cXM_lBReHTlOFI4FErqOqg', 'kiosk', 'openid profile offline_access', '{"proofs":[{"codeTyped":{}},{"accountPassword":{"at":817633677.7600182}},{"network":{"_0":"yes"}}]}', 817633679.04313, NULL, NULL, NULL, '1k8j6lsr4uFuVkFTKZ2bw1', 'kiosk', 'asserted', 'openid profile offline_access', 'verified', NULL, NULL, NULL, '127.0.0.1', 'observed', NULL, NULL, 'curl/7.88.1', 'asserted', 817633672.9707516, 'observed', 817633972.9707516, 1);
INSERT INTO group_members (subject, name) VALUES ('cXM_lBReHTlOFI4FErqOqg', 'staff');
INSERT INTO migrations (name, applied, requires) VALUES ('0001 tables', '2026-11-29 08:27:42.595205+00', NULL);
INSERT INTO people (subject, username, name, email, email_verified, locale, zone_info, updated, attributes, email_verification, password, backchannel_user_code, standing, removal, role, created, password_changed) VALUES ('cXM_lBReHTlOFI4FErqOqg', 'olga', 'Olga Old', 'olga@example.org', 1, NULL, NULL, NULL, NULL, NULL, '$scrypt$ln=17,r=8,p=1$87sBaxzNB48HN0FYKZnzQQ$GXudEl6K2DzVqxKxB3JOUe1Qp6Mb3j5feqi3zvhqJAA', NULL, 'active', NULL, 'user', 817633668.0426393, NULL);
INSERT INTO people_groups (name, note, member_of, created) VALUES ('staff', 'All who work here', '[]', 817633669.2626083);
INSERT INTO phone_numbers (number, subject, device, verified, move_device, move_subject, move_due) VALUES ('+12125550100', 'cXM_lBReHTlOFI4FErqOqg', NULL, 817633668.6290076, NULL, NULL, NULL);
INSERT INTO refresh_tokens (family, token, grant_id, client, issued, expires, key_thumbprint) VALUES ('\x01a2266b0dace3e33dc6ba5c890bc0b5ebb6482a58bc03334267f84d859c18fd', '\xcfd818cb40d9572869758d055109ddaefee40368db94f32bc7c89b25b9d78963', '1k8j6m2m9CxoZBmaXySxRx', 'kiosk', 817633680.3137276, 820225680.3137276, NULL);
INSERT INTO repeatable_answers (grant_id, credential, answer, answered, deadline, ends) VALUES ('1k8j6m2m9CxoZBmaXySxRx', '\xe38a8790a97316bc4e20e71ba7a8a2440fc85dbd254b8c0f39a5865218812a19', '\xac01361f1cfb750226dad2965bf9e7b9a89d24199beee0342a7bafc8420fc365f9978378c3c4079c267e8fa004195a1b87ba18e63cc4dc48790a1bee07e9d6d25ce3b268835ece95698e6ecfdb5c998fb1c1f343c19fabc282b16c6bfc7c7e6d5f1b28d23885427e431b97cd3433416a6e92a197cb62072be678b9eec76ce2f0aa4ca6562f33fcc9c92a2dd5ae5fe5b589965131acc98164838a6a26084ee1ac2d2387ac3736ae6597595c5465ab4cdb59c6e6f59c8eb6c8a16562a568b0cf5faaf07e57abe086676f443c32fe942c4d8b61a5626e9e7c90d050e9ec2b024db3b889df43e44d9893e7b23da3bc1d7810271f5b264d56989fc7eb1f3f8fcf242638e6e3a90a6e82e9f2966af48a25f78c9884312693fa29dc9ad064ae08b67696fded419cf97b776e337bb8c5f6562f135a032d6e33bcb35007676d759225b9e688acf27b58efd24745f5a70f4364a2e3662370f1a8f19de219a1f029cf2ea99ea18319aa802543298e6abe30e5160de7031b92261a37bf1d9baa17d480723bdc85fb74b684c83134acd9be8795a3f5d33e534b1152bd7e3b0ed25f63ffa460493b2e7767c04619e10ea2a7a48e28539b263736af5b99c8722f1812129b5c307dfe5df7678fbb753481fec3a5516e58ed24de7bdaf7f955277a5ed831bd7aa5541ae80437e65e93b93a4052c15cd9ac16242ceef8e70fe052aa938305b983f53fcba49ed3aa6f94a4074c5c46e37ec8d198b78d799ba948af2d10af5f7eb0d0af8bf6a806f902f64fd8cef74b62ca8a7a67bc9bfd02d25608e152e7e497d1c4bca87c0051746c1ca31b2f25fe1f1f06ad1930ca2a2ce37b1d778a3e12ba3bb19ae6accf9acff813da1ed93d075423c31867802935ef64de75de155b243d81290bbb1701fc41fa310cbfd9008963fafa7efee0d2434e37fee5a142084c6888afa737cfa7e71f100685a858be1fad48b07f38bc130761de0eafe7df2a5c626655d7366f64c06311e682c187f6ad94f8ba773ef0b6da54c328654b60dcdf4bc7de8d8d1d909d195efb9bae38730b3ab4e45987333b9f882d8aebd3500d837cf6c22208c50f9c9cafc93cbdaaa184b0611ed5dea01c3dfa01d6e50c44022c5b3d345a93a5d639935f892fa7d0f31f3225e76d17362249994ebd7dfc89af0bfd2ada74ea896544a41f20839bf867d6aa8df5899ef928d61d16c2a3fc16cbac126614436b632620303ae97c7e5d50e49119b71942aa8bf90faca62ae04fef0326161542374b6574541a4ca0bc062112ddf13620577ccdbeb26f6b98f45f452f7c004edb7a75e8b6c7ebe80506817e785943d0ef3dd4b221774ad8ed537d355ef8db53a7b7afc91374f866dc7c6ca5a8a30b503e346efcb375a2e4a596105f18a7844dfbfb58083bff581c7d39f747430b5a8c20c2e10db36579169be8b8ac9bd22da0e107aa6f628213431426', 817633680.3258415, NULL, 817637280.3258415);
INSERT INTO server_keys (id, purpose, secret, created, activates, retired, arrival) OVERRIDING SYSTEM VALUE VALUES ('Zzr0DyLqwzz9PSl4lsfkLQ', 'signES256', '\x1cf70fba3f07e36296f101116496928399150bde8ea7e94331d7cea1f2dc3014', 817633672.8587798, 817633672.8587798, NULL, 1);
INSERT INTO server_keys (id, purpose, secret, created, activates, retired, arrival) OVERRIDING SYSTEM VALUE VALUES ('sKYhjiXQvdWriF1Se4RqHQ', 'userCodes', '\x782f29c53c9987821127cb25c707cc81044d955a244920452577bcea18c529e7', 817633672.8587798, 817633672.8587798, NULL, 2);
INSERT INTO server_keys (id, purpose, secret, created, activates, retired, arrival) OVERRIDING SYSTEM VALUE VALUES ('5eyWhwSJydbd0bXbjB1P9g', 'forms', '\x8cb038503ecb3eea129540911e707e60edfb79dc27a3148143befd2967fba45d', 817633672.8587798, 817633672.8587798, NULL, 3);
INSERT INTO server_keys (id, purpose, secret, created, activates, retired, arrival) OVERRIDING SYSTEM VALUE VALUES ('HwFBkrfqZ3TNcnoHJe7qrQ', 'secondFactors', '\x867cfc839df1ce150109f8d3445fe189ea4e30d27547c87e274f3743b8b19aec', 817633672.8587798, 817633672.8587798, NULL, 4);
INSERT INTO server_keys (id, purpose, secret, created, activates, retired, arrival) OVERRIDING SYSTEM VALUE VALUES ('UuhrKUbeLYB2cFCWSTvYSA', 'signRS256', '\x308204a30201000282010100c5dc407692e17de9a42100883147686efab21f6fc7109fcc17372f8d1b8d8b3995d484e84ec4224ab584aef14f41204370ba8a795513ab061088d48b055295830908db4c4956f31fae05c851205f2ad3b6a887be46131c6679206474bd34db8d0f14abdf90e2c6154ccf6256a66f443a05699998dadc70ff389f4014890f00076c872ae7a3d52a52e0227021bc0712adbe720e7191518c17c4f9463742f4392073430140a3b33f55803a8198b05139b19014389766f5933d3d2ba3f264c54a944f3446307891e36a609e4f39dbfcde500f52e0e04bc0df026d612f97f37544e294d6176299980eda0b30c5a2ed7e87f99872bc19f47eeefcc406141b21de29b502030100010282010045c9206771f8dc5b2acb850f842a0678962d7b0f06ac23606d93c64ec3b811b1f6d9a522f69d10e73ecc949381fb9b708df30d622c12aad091c66108c390d4310a5fb85158d0b521a8545bc9d95c1793e2a9e06ec8f276a2e1f7fdd67ae188ca60d64ea4a4ca8748fdf56b5eda87060e5cd8591763a23aac9a00f92e05056861968885e2ddada764079219794b6b53e1e724674d8247955b59175f4158a43f975866ef17d0daac43710e367fe0fc6e25da5c63e38a46fb5add1da1deb38b3c8522c67eea341300dadb5ee85f19176b8f812e732277cf7a4e35e7c6efb5314c8f711fe967030dd31b6f02789a67b98b7c756bb64a6a9a9abe17cc3ab534ffe52502818100f6700651d08fa9ebaefcbc532d8dc5bc131a2ca9bab420d6200c92e21e1149133989d308e3fa745e2c87228485bfb2362d28c27ad45ab80a49ba75207a2ac9a759e068629aa9943f85fe70b55f6a098b5c0855ef222931c45772460c01cd70d4f7645ae9f94847e99662c246ae58d6cf3ab934f562b0543e991c5e15696c09df02818100cd89b006eae38aba8294ac8989b73a9cbc02031869fd5dc1b6153e12af0d659b5a0f3799e2b6aff113bc25d4adbcf1255f3223bf4647e87acfd1b96e8635743d94db59deccfb83a1aa2c784e44e1e65b3c449d34aa628c62e2c16aee6384a81c3726af8efb513439a0bd94ffad7d15403232a5dfed711db572110e1bc90626eb0281805e558da5bddf709d1e73f2a72875efae49e5a81924b61527c246ede70eb9712ea1c4e77aacc24fcf48de45d152dd899b8177ebd256fd8f1ba9136e088b9b5b6beb54a2c0b4119c052106c0203db0fa8c55237fb9b56aed790a3c5d21f582ade167fe0b6b2b1887269c819b7ab0fca2e5dac5d0c6ea0b33846ed9d40e0037f22302818100bc49e724df2725de6863549006c600feb648cd971ef9895b3cb7c70e8ca8a42d25da8cdfff4dc66dfddb3d78d0d426c14aacff0c6990d44b357875fbe71caee8ff25d6f58128e3d444b5ca5c414404a80dd4f982d697c2ed8fb70a836a4d8b4795ca6dc7793951b37d2a4f85cde3a9850eb751378b2835c413c3c5fdf4311b9302818068dc150ebfa38b3389fd76aa95f09f7538d10074ec30e696069bcb02101859633fa2c920c69934e0e4e7d62acebf78c8001f63b0ab6507105012209bd239f9498d69467fa7f63cbb0f17d173eb00f9f44de8dd3d034a3db889362997422d90c355977dd8cacc17cb65fabe51c1dc57007e990ab9ef19bc5deba3a2cc5784344e', 817633672.9198694, 817633672.9198694, NULL, 5);
INSERT INTO sign_ins (signed_in, last_used, ends, revoked, approver_key, session, session_expires, from_ticket, grant_id, grant_subject, grant_client, grant_scope, evidence, approved, grant_ends, grant_ends_with, grant_screen, request_id, client, client_provenance, scope, scope_provenance, domain, domain_provenance, addressee, address, address_provenance, device_name, device_name_provenance, software, software_provenance, asked, asked_provenance, deadline, arrival) OVERRIDING SYSTEM VALUE VALUES (817633679.7728149, 817633680.3137276, 820225740.3137276, NULL, NULL, NULL, NULL, 0, '1k8j6m2m9CxoZBmaXySxRx', 'cXM_lBReHTlOFI4FErqOqg', 'kiosk', 'openid profile offline_access', '{"proofs":[{"codeTyped":{}},{"accountPassword":{"at":817633677.7600182}},{"network":{"_0":"yes"}}]}', 817633679.04313, NULL, NULL, NULL, '1k8j6lsr4uFuVkFTKZ2bw1', 'kiosk', 'asserted', 'openid profile offline_access', 'verified', NULL, NULL, NULL, '127.0.0.1', 'observed', NULL, NULL, 'curl/7.88.1', 'asserted', 817633672.9707516, 'observed', 817633972.9707516, 1);
SELECT pg_catalog.setval('exchanges_arrival_seq', 1, true);
SELECT pg_catalog.setval('server_keys_arrival_seq', 5, true);
SELECT pg_catalog.setval('sign_ins_arrival_seq', 1, true);
ALTER TABLE ONLY access_tokens
    ADD CONSTRAINT access_tokens_pkey PRIMARY KEY (number, token);
ALTER TABLE ONLY action_links
    ADD CONSTRAINT action_links_digest_key UNIQUE (digest);
ALTER TABLE ONLY action_links
    ADD CONSTRAINT action_links_subject_key UNIQUE (subject);
ALTER TABLE ONLY audit_ends
    ADD CONSTRAINT audit_ends_pkey PRIMARY KEY (name);
ALTER TABLE ONLY audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (number);
ALTER TABLE ONLY authenticator_apps
    ADD CONSTRAINT authenticator_apps_pkey PRIMARY KEY (app_key);
ALTER TABLE ONLY browser_sessions
    ADD CONSTRAINT browser_sessions_cookie_key UNIQUE (cookie);
ALTER TABLE ONLY claim_mappings
    ADD CONSTRAINT claim_mappings_pkey PRIMARY KEY (claim);
ALTER TABLE ONLY client_notices
    ADD CONSTRAINT client_notices_pkey PRIMARY KEY (kind, name);
ALTER TABLE ONLY clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY commits
    ADD CONSTRAINT commits_pkey PRIMARY KEY (node);
ALTER TABLE ONLY consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (subject, client);
ALTER TABLE ONLY counts
    ADD CONSTRAINT counts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY decision_nonces
    ADD CONSTRAINT decision_nonces_nonce_key UNIQUE (nonce);
ALTER TABLE ONLY deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY device_environments
    ADD CONSTRAINT device_environments_pkey PRIMARY KEY (device, environment);
ALTER TABLE ONLY devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY domains
    ADD CONSTRAINT domains_credential_key UNIQUE (credential);
ALTER TABLE ONLY domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (name);
ALTER TABLE ONLY enrollment_tickets
    ADD CONSTRAINT enrollment_tickets_digest_key UNIQUE (digest);
ALTER TABLE ONLY environments
    ADD CONSTRAINT environments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY exchanges
    ADD CONSTRAINT exchanges_device_code_key UNIQUE (device_code);
ALTER TABLE ONLY exchanges
    ADD CONSTRAINT exchanges_request_id_key UNIQUE (request_id);
ALTER TABLE ONLY exchanges
    ADD CONSTRAINT exchanges_user_code_key UNIQUE (user_code);
ALTER TABLE ONLY group_members
    ADD CONSTRAINT group_members_pkey PRIMARY KEY (subject, name);
ALTER TABLE ONLY identity_providers
    ADD CONSTRAINT identity_providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY initial_access_tokens
    ADD CONSTRAINT initial_access_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY initial_access_tokens
    ADD CONSTRAINT initial_access_tokens_token_key UNIQUE (token);
ALTER TABLE ONLY linked_identities
    ADD CONSTRAINT linked_identities_pkey PRIMARY KEY (issuer, identity);
ALTER TABLE ONLY migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY mutes
    ADD CONSTRAINT mutes_pkey PRIMARY KEY (subject, client);
ALTER TABLE ONLY one_time_passwords
    ADD CONSTRAINT one_time_passwords_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (credential);
ALTER TABLE ONLY people_groups
    ADD CONSTRAINT people_groups_pkey PRIMARY KEY (name);
ALTER TABLE ONLY people
    ADD CONSTRAINT people_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY people
    ADD CONSTRAINT people_username_key UNIQUE (username);
ALTER TABLE ONLY person_codes
    ADD CONSTRAINT person_codes_digest_key UNIQUE (digest);
ALTER TABLE ONLY person_codes
    ADD CONSTRAINT person_codes_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY phone_numbers
    ADD CONSTRAINT phone_numbers_pkey PRIMARY KEY (number);
ALTER TABLE ONLY phone_registrations
    ADD CONSTRAINT phone_registrations_pkey PRIMARY KEY (device);
ALTER TABLE ONLY provider_visits
    ADD CONSTRAINT provider_visits_state_key UNIQUE (state);
ALTER TABLE ONLY pushed_requests
    ADD CONSTRAINT pushed_requests_reference_key UNIQUE (reference);
ALTER TABLE ONLY quiet_times
    ADD CONSTRAINT quiet_times_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (family);
ALTER TABLE ONLY remembered_screens
    ADD CONSTRAINT remembered_screens_id_key UNIQUE (id);
ALTER TABLE ONLY repeatable_answers
    ADD CONSTRAINT repeatable_answers_grant_id_key UNIQUE (grant_id);
ALTER TABLE ONLY server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sign_ins
    ADD CONSTRAINT sign_ins_grant_id_key UNIQUE (grant_id);
ALTER TABLE ONLY signed_decisions
    ADD CONSTRAINT signed_decisions_request_id_key UNIQUE (request_id);
ALTER TABLE ONLY used_challenges
    ADD CONSTRAINT used_challenges_challenge_key UNIQUE (challenge);
CREATE INDEX access_tokens_by_client ON access_tokens USING btree (client);
CREATE INDEX access_tokens_by_expiry ON access_tokens USING btree (expires);
CREATE INDEX access_tokens_by_grant ON access_tokens USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX action_links_by_email ON action_links USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX action_links_by_expiry ON action_links USING btree (expires);
CREATE INDEX audit_by_request ON audit USING btree (request_id, number) WHERE (request_id IS NOT NULL);
CREATE INDEX audit_by_subject ON audit USING btree (subject, number) WHERE (subject IS NOT NULL);
CREATE INDEX browser_sessions_by_expiry ON browser_sessions USING btree (expires);
CREATE INDEX browser_sessions_by_subject ON browser_sessions USING btree (subject, expires DESC, cookie);
CREATE INDEX client_notices_by_due ON client_notices USING btree (due, name, client);
CREATE INDEX clients_by_expiry ON clients USING btree (expires) WHERE (expires IS NOT NULL);
CREATE INDEX clients_of_operator ON clients USING btree (id) WHERE (expires IS NULL);
CREATE INDEX consents_by_client ON consents USING btree (client);
CREATE INDEX counts_by_end ON counts USING btree (ends);
CREATE INDEX decision_nonces_by_expiry ON decision_nonces USING btree (expires);
CREATE INDEX decision_nonces_by_request ON decision_nonces USING btree (request_id);
CREATE INDEX deliveries_by_due ON deliveries USING btree (lane, due, id, receiver) WHERE (state = 'waiting'::text);
CREATE INDEX deliveries_by_environment ON deliveries USING btree (environment, made, id) WHERE (environment IS NOT NULL);
CREATE INDEX deliveries_by_expiry ON deliveries USING btree (expires);
CREATE INDEX deliveries_by_limit_alarm ON deliveries USING btree (kind, made, id) WHERE (kind = 'limit_alarm'::text);
CREATE INDEX deliveries_by_new_device ON deliveries USING btree (kind, made, id) WHERE (kind = 'new_device'::text);
CREATE INDEX deliveries_by_request ON deliveries USING btree (request_id, made, id) WHERE (request_id IS NOT NULL);
CREATE INDEX deliveries_not_delivered ON deliveries USING btree (made, id) WHERE ((attempts > 0) AND (state <> 'delivered'::text) AND (state <> 'withdrawn'::text));
CREATE INDEX device_environments_by_environment ON device_environments USING btree (environment);
CREATE INDEX device_environments_by_instant ON device_environments USING btree (device, added, environment);
CREATE INDEX devices_by_number ON devices USING btree (phone_number, created, id) WHERE (phone_number IS NOT NULL);
CREATE INDEX devices_by_push_token ON devices USING btree (push_token, created, id) WHERE (push_token IS NOT NULL);
CREATE INDEX devices_by_sighting ON devices USING btree (last_seen);
CREATE UNIQUE INDEX devices_by_sign_in ON devices USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX devices_by_subject ON devices USING btree (subject, created, id) WHERE (subject IS NOT NULL);
CREATE INDEX devices_of_nobody ON devices USING btree (last_seen) WHERE (subject IS NULL);
CREATE INDEX enrollment_tickets_by_expiry ON enrollment_tickets USING btree (expires);
CREATE INDEX enrollment_tickets_by_subject ON enrollment_tickets USING btree (subject);
CREATE INDEX exchanges_by_addressee ON exchanges USING btree (addressee, asked, arrival) WHERE ((addressee IS NOT NULL) AND (phase = ANY (ARRAY['open'::text, 'taken'::text])));
CREATE INDEX exchanges_by_approval ON exchanges USING btree (grant_subject, approved, arrival) WHERE (phase = 'approved'::text);
CREATE INDEX exchanges_by_cancellation ON exchanges USING btree (COALESCE(addressee, remembered_person), asked) WHERE (phase = 'cancelled'::text);
CREATE INDEX exchanges_by_deadline ON exchanges USING btree (deadline);
CREATE INDEX exchanges_by_remembered_person ON exchanges USING btree (remembered_person, asked, arrival) WHERE ((remembered_person IS NOT NULL) AND (phase = ANY (ARRAY['open'::text, 'taken'::text])));
CREATE INDEX group_members_by_group ON group_members USING btree (name, subject);
CREATE INDEX initial_access_tokens_by_expiry ON initial_access_tokens USING btree (expires);
CREATE INDEX linked_identities_by_subject ON linked_identities USING btree (subject);
CREATE INDEX mutes_by_client ON mutes USING btree (client);
CREATE INDEX mutes_by_instant ON mutes USING btree (subject, since, client);
CREATE INDEX passkeys_by_subject ON passkeys USING btree (subject, created, credential);
CREATE INDEX people_by_email ON people USING btree (lower(email), subject);
CREATE INDEX people_by_name ON people USING btree (lower(name), subject);
CREATE INDEX people_by_removal ON people USING btree (removal) WHERE (removal IS NOT NULL);
CREATE INDEX person_codes_by_expiry ON person_codes USING btree (expires);
CREATE INDEX phone_numbers_by_move ON phone_numbers USING btree (move_due) WHERE (move_due IS NOT NULL);
CREATE INDEX phone_numbers_by_subject ON phone_numbers USING btree (subject, number);
CREATE INDEX phone_registrations_by_number ON phone_registrations USING btree (number) WHERE (number IS NOT NULL);
CREATE INDEX phone_registrations_by_touch ON phone_registrations USING btree (touched) WHERE (state <> 'verified'::text);
CREATE INDEX provider_visits_by_expiry ON provider_visits USING btree (expires);
CREATE INDEX pushed_requests_by_expiry ON pushed_requests USING btree (expires);
CREATE INDEX quiet_times_by_end ON quiet_times USING btree (ends);
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens USING btree (grant_id);
CREATE INDEX remembered_screens_by_client ON remembered_screens USING btree (client);
CREATE INDEX remembered_screens_by_subject ON remembered_screens USING btree (subject, last_used, id);
CREATE INDEX remembered_screens_by_subject_and_client ON remembered_screens USING btree (subject, client, last_used, id);
CREATE INDEX remembered_screens_by_use ON remembered_screens USING btree (last_used);
CREATE INDEX repeatable_answers_by_end ON repeatable_answers USING btree (ends);
CREATE INDEX sign_ins_by_approver_end ON sign_ins USING btree (grant_ends_with) WHERE ((grant_ends_with IS NOT NULL) AND (revoked IS NULL));
CREATE INDEX sign_ins_by_client ON sign_ins USING btree (grant_client, signed_in, arrival) WHERE (revoked IS NULL);
CREATE INDEX sign_ins_by_domain ON sign_ins USING btree (domain) WHERE ((domain IS NOT NULL) AND (revoked IS NULL));
CREATE INDEX sign_ins_by_end ON sign_ins USING btree (ends);
CREATE INDEX sign_ins_by_session ON sign_ins USING btree (session, arrival) WHERE ((session IS NOT NULL) AND (revoked IS NULL));
CREATE INDEX sign_ins_by_subject ON sign_ins USING btree (grant_subject, signed_in, arrival) WHERE (revoked IS NULL);
CREATE INDEX signed_decisions_by_instant ON signed_decisions USING btree (decided);
CREATE INDEX used_challenges_by_expiry ON used_challenges USING btree (expires);
