-- The schema after all migrations, for reference; written by `make gen`.
CREATE DOMAIN address AS bytea CHECK ((octet_length(VALUE) = 20));
CREATE DOMAIN hash32 AS bytea CHECK ((octet_length(VALUE) = 32));
CREATE DOMAIN instant AS timestamp(3) with time zone CHECK (isfinite(VALUE));
CREATE DOMAIN wei AS numeric CHECK (((VALUE = trunc(VALUE)) AND (VALUE >= (0)::numeric) AND (VALUE < ((2)::numeric ^ (256)::numeric))));
CREATE TABLE activities (
    id uuid NOT NULL,
    audience_id uuid NOT NULL,
    audience_kind text NOT NULL,
    type text NOT NULL,
    kind text NOT NULL,
    actor text,
    amount wei,
    tx_hash hash32,
    related_id uuid,
    status text NOT NULL,
    chain_id bigint,
    block_hash hash32,
    block_number bigint,
    dedupe_key text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    reverted_kind text,
    CONSTRAINT activities_actor_check CHECK (((actor = ANY (ARRAY['agent'::text, 'human'::text])) AND
CASE COALESCE(reverted_kind, kind)
    WHEN 'dispute_opened'::text THEN (actor IS NOT NULL)
    WHEN 'task_cancelled'::text THEN true
    ELSE (actor IS NULL)
END)),
    CONSTRAINT activities_agent_check CHECK (((audience_kind <> 'agent'::text) OR (COALESCE(reverted_kind, kind) = ANY (ARRAY['task_funded'::text, 'posting_unlinked'::text, 'human_assigned'::text, 'work_submitted'::text, 'review_started'::text, 'dispute_opened'::text, 'dispute_answered'::text, 'work_approved'::text, 'payment_released'::text, 'payment_refunded'::text, 'task_cancelled'::text, 'task_expired'::text, 'application_created'::text, 'stake_locked'::text, 'application_rejected'::text, 'application_withdrawn'::text, 'review_received'::text, 'claim_paid'::text, 'claim_failed'::text, 'message_received'::text, 'dm_received'::text, 'measure_imposed'::text, 'measure_ended'::text, 'appeal_upheld'::text, 'task_shown'::text])))),
    CONSTRAINT activities_audience_id_dedupe_key_key UNIQUE (audience_id, dedupe_key),
    CONSTRAINT activities_check CHECK ((((block_hash IS NULL) = (block_number IS NULL)) AND ((block_hash IS NULL) = (chain_id IS NULL)))),
    CONSTRAINT activities_check1 CHECK (((block_hash IS NOT NULL) OR (status = 'confirmed'::text))),
    CONSTRAINT activities_human_check CHECK (((audience_kind <> 'human'::text) OR (COALESCE(reverted_kind, kind) = ANY (ARRAY['work_submitted'::text, 'review_started'::text, 'dispute_opened'::text, 'dispute_answered'::text, 'work_approved'::text, 'payment_released'::text, 'payment_refunded'::text, 'task_cancelled'::text, 'task_expired'::text, 'stake_locked'::text, 'application_accepted'::text, 'application_rejected'::text, 'unstaked_application_rejected'::text, 'application_withdrawn'::text, 'application_expired'::text, 'stake_returned'::text, 'stake_forfeited'::text, 'review_received'::text, 'message_received'::text, 'dm_received'::text, 'measure_imposed'::text, 'measure_ended'::text, 'appeal_upheld'::text])))),
    CONSTRAINT activities_pkey PRIMARY KEY (id),
    CONSTRAINT activities_reverted_check CHECK (((kind = 'event_reverted'::text) = (reverted_kind IS NOT NULL))),
    CONSTRAINT activities_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'reverted'::text]))),
    CONSTRAINT activities_type_check CHECK ((type = ANY (ARRAY['task'::text, 'application'::text, 'payout'::text, 'dispute'::text, 'review'::text, 'claim'::text, 'message'::text, 'dm'::text])))
);
CREATE TABLE agents (
    id uuid NOT NULL,
    kind text NOT NULL DEFAULT 'agent'::text,
    key_hash hash32 NOT NULL,
    key_prefix text NOT NULL,
    key_rotated_at instant,
    key_recovered_at instant,
    CONSTRAINT agents_key_hash_key UNIQUE (key_hash),
    CONSTRAINT agents_kind_check CHECK ((kind = 'agent'::text)),
    CONSTRAINT agents_pkey PRIMARY KEY (id)
);
CREATE TABLE appeals (
    id uuid NOT NULL,
    decision_id uuid NOT NULL,
    first_decider text NOT NULL,
    imposed_at instant NOT NULL,
    statement text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    outcome text,
    reasons text,
    decided_by text,
    decided_at instant,
    CONSTRAINT appeals_check CHECK ((((outcome IS NULL) = (reasons IS NULL)) AND ((outcome IS NULL) = (decided_by IS NULL)) AND ((outcome IS NULL) = (decided_at IS NULL)))),
    CONSTRAINT appeals_decided_by_check CHECK ((decided_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'::text)),
    CONSTRAINT appeals_decision_id_key UNIQUE (decision_id),
    CONSTRAINT appeals_other_person_check CHECK ((regexp_replace(lower(decided_by), '^(cli:)+'::text, ''::text) <> regexp_replace(lower(first_decider), '^(cli:)+'::text, ''::text))),
    CONSTRAINT appeals_outcome_check CHECK ((outcome = ANY (ARRAY['upheld'::text, 'reversed'::text]))),
    CONSTRAINT appeals_pkey PRIMARY KEY (id),
    CONSTRAINT appeals_reasons_check CHECK (((char_length(reasons) >= 1) AND (char_length(reasons) <= 4000))),
    CONSTRAINT appeals_second_person_check CHECK ((decided_by <> first_decider)),
    CONSTRAINT appeals_statement_check CHECK (((char_length(statement) >= 1) AND (char_length(statement) <= 4000))),
    CONSTRAINT appeals_window_check CHECK (((created_at)::timestamp with time zone < ((imposed_at)::timestamp with time zone + '4416:00:00'::interval)))
);
CREATE TABLE applications (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    human_id uuid NOT NULL,
    message text NOT NULL DEFAULT ''::text,
    stake_amount wei NOT NULL,
    decision text,
    stake_tx hash32,
    stake_ordinal integer,
    status text NOT NULL DEFAULT 'new'::text,
    onchain_application_id bigint,
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    turns_at instant,
    created_at instant NOT NULL DEFAULT now(),
    rejection_reason text,
    CONSTRAINT applications_check CHECK (((stake_tx IS NULL) = (stake_ordinal IS NULL))),
    CONSTRAINT applications_check1 CHECK (((status <> ALL (ARRAY['pending'::text, 'accepted'::text, 'expired'::text])) OR (onchain_application_id IS NOT NULL))),
    CONSTRAINT applications_decision_check CHECK ((decision = ANY (ARRAY['rejected'::text, 'withdrawn'::text]))),
    CONSTRAINT applications_message_check CHECK ((char_length(message) <= 2000)),
    CONSTRAINT applications_pkey PRIMARY KEY (id),
    CONSTRAINT applications_rejection_reason_check CHECK (((char_length(rejection_reason) >= 1) AND (char_length(rejection_reason) <= 2000))),
    CONSTRAINT applications_status_check CHECK ((status = ANY (ARRAY['new'::text, 'pending'::text, 'accepted'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text, 'released'::text])))
);
CREATE TABLE audit_log (
    id bigint NOT NULL DEFAULT nextval('audit_log_id_seq'::regclass),
    created_at instant NOT NULL DEFAULT now(),
    kind text NOT NULL,
    account_id uuid,
    operator text,
    network cidr,
    request_id text,
    subject_kind text,
    subject text,
    detail text,
    count integer NOT NULL DEFAULT 1,
    CONSTRAINT audit_log_actor_check CHECK (((account_id IS NULL) OR (operator IS NULL))),
    CONSTRAINT audit_log_count_check CHECK ((count > 0)),
    CONSTRAINT audit_log_detail_check CHECK ((detail ~ '^[A-Za-z0-9._:-]{1,80}$'::text)),
    CONSTRAINT audit_log_kind_check CHECK ((kind ~ '^[a-z_]{1,40}$'::text)),
    CONSTRAINT audit_log_network_check CHECK ((masklen((network)::inet) =
CASE family((network)::inet)
    WHEN 4 THEN 24
    ELSE 48
END)),
    CONSTRAINT audit_log_operator_check CHECK ((operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'::text)),
    CONSTRAINT audit_log_pkey PRIMARY KEY (id, created_at),
    CONSTRAINT audit_log_request_id_check CHECK ((request_id ~ '^[A-Za-z0-9._-]{1,128}$'::text)),
    CONSTRAINT audit_log_subject_check CHECK ((subject ~ '^[A-Za-z0-9._:-]{1,80}$'::text)),
    CONSTRAINT audit_log_subject_complete_check CHECK (((subject IS NULL) = (subject_kind IS NULL))),
    CONSTRAINT audit_log_subject_kind_check CHECK ((subject_kind ~ '^[a-z_]{1,40}$'::text))
) PARTITION BY RANGE (created_at);
CREATE TABLE barred_links (
    user_id uuid NOT NULL,
    account_hash hash32 NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    CONSTRAINT barred_links_pkey PRIMARY KEY (account_hash, user_id)
);
CREATE TABLE chain_blocks (
    chain_id bigint NOT NULL,
    hash hash32 NOT NULL,
    number bigint NOT NULL,
    parent hash32 NOT NULL,
    "time" instant NOT NULL,
    canonical boolean NOT NULL DEFAULT true,
    CONSTRAINT chain_blocks_pkey PRIMARY KEY (chain_id, hash)
);
CREATE TABLE chain_findings (
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    kind text NOT NULL,
    id bigint NOT NULL,
    block_number bigint NOT NULL,
    difference text NOT NULL,
    found_at instant NOT NULL DEFAULT now(),
    CONSTRAINT chain_findings_difference_check CHECK ((difference <> ''::text)),
    CONSTRAINT chain_findings_id_check CHECK ((id > 0)),
    CONSTRAINT chain_findings_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'application'::text]))),
    CONSTRAINT chain_findings_pkey PRIMARY KEY (chain_id, escrow, kind, id)
);
CREATE TABLE chain_head (
    chain_id bigint NOT NULL,
    number bigint NOT NULL,
    hash hash32,
    parent hash32,
    "time" instant,
    safe bigint NOT NULL DEFAULT 0,
    finalized bigint NOT NULL DEFAULT 0,
    holder text NOT NULL DEFAULT ''::text,
    epoch bigint NOT NULL DEFAULT 0,
    lease_until instant,
    CONSTRAINT chain_head_check CHECK ((((hash IS NULL) = ("time" IS NULL)) AND ((hash IS NULL) = (parent IS NULL)))),
    CONSTRAINT chain_head_number_check CHECK ((number >= '-1'::integer)),
    CONSTRAINT chain_head_pkey PRIMARY KEY (chain_id)
);
CREATE TABLE chain_logs (
    chain_id bigint NOT NULL,
    block_hash hash32 NOT NULL,
    log_index integer NOT NULL,
    block_number bigint NOT NULL,
    block_time instant NOT NULL,
    tx_hash hash32 NOT NULL,
    tx_index integer NOT NULL,
    address address NOT NULL,
    topics bytea[] NOT NULL,
    data bytea NOT NULL,
    kind text NOT NULL,
    task_id bigint,
    application_id bigint,
    event jsonb NOT NULL,
    canonical boolean NOT NULL DEFAULT true,
    CONSTRAINT chain_logs_application_id_check CHECK ((application_id > 0)),
    CONSTRAINT chain_logs_log_index_check CHECK ((log_index >= 0)),
    CONSTRAINT chain_logs_pkey PRIMARY KEY (chain_id, block_hash, log_index),
    CONSTRAINT chain_logs_task_id_check CHECK ((task_id > 0))
);
CREATE TABLE chain_parameters (
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    fee_basis_points integer NOT NULL,
    panel bigint NOT NULL,
    paused boolean NOT NULL,
    from_panels bigint[] NOT NULL DEFAULT '{}'::bigint[],
    quorums smallint[] NOT NULL DEFAULT '{}'::smallint[],
    panel_sizes smallint[] NOT NULL DEFAULT '{}'::smallint[],
    CONSTRAINT chain_parameters_fee_basis_points_check CHECK (((fee_basis_points >= 0) AND (fee_basis_points <= 2000))),
    CONSTRAINT chain_parameters_panels_check CHECK (((cardinality(from_panels) = cardinality(quorums)) AND (cardinality(from_panels) = cardinality(panel_sizes)))),
    CONSTRAINT chain_parameters_pkey PRIMARY KEY (chain_id, escrow)
);
CREATE TABLE chain_quorums (
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    from_panel bigint NOT NULL,
    quorum smallint NOT NULL,
    validators smallint,
    CONSTRAINT chain_quorums_pkey PRIMARY KEY (chain_id, escrow, from_panel),
    CONSTRAINT chain_quorums_quorum_check CHECK (((quorum >= 1) AND (quorum <= 32))),
    CONSTRAINT chain_quorums_validators_check CHECK (((validators >= 0) AND (validators <= 32)))
);
CREATE TABLE chain_rereads (
    chain_id bigint NOT NULL,
    number bigint NOT NULL,
    reason text NOT NULL,
    requested_at instant NOT NULL DEFAULT now(),
    CONSTRAINT chain_rereads_number_check CHECK ((number > 0)),
    CONSTRAINT chain_rereads_pkey PRIMARY KEY (chain_id, number),
    CONSTRAINT chain_rereads_reason_check CHECK ((reason = ANY (ARRAY['confirmation'::text, 'audit'::text])))
);
CREATE TABLE chain_validators (
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    wallet address NOT NULL,
    added_in bigint NOT NULL,
    removed_in bigint,
    CONSTRAINT chain_validators_check CHECK ((removed_in > added_in)),
    CONSTRAINT chain_validators_pkey PRIMARY KEY (chain_id, escrow, wallet)
);
CREATE TABLE challenges (
    hash hash32 NOT NULL,
    purpose text NOT NULL,
    wallet address NOT NULL,
    profile hash32,
    created_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL,
    checks smallint NOT NULL DEFAULT 0,
    CONSTRAINT challenges_checks_check CHECK (((checks >= 0) AND (checks <= 3))),
    CONSTRAINT challenges_pkey PRIMARY KEY (hash),
    CONSTRAINT challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'recover'::text, 'login'::text, 'erase'::text])))
);
CREATE TABLE changed_records (
    tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    leads boolean NOT NULL,
    status text,
    human_id uuid,
    escrow_task_id bigint,
    changed_block bigint,
    CONSTRAINT changed_records_check CHECK ((((kind = 'task'::text) AND (status IS NOT NULL)) OR (num_nonnulls(human_id, escrow_task_id, changed_block) = 0))),
    CONSTRAINT changed_records_kind_check CHECK ((kind = ANY (ARRAY['activity'::text, 'task'::text, 'application'::text]))),
    CONSTRAINT changed_records_pkey PRIMARY KEY (tx, kind, subject_id)
);
CREATE TABLE claims (
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    amount wei NOT NULL,
    karma_snapshot bigint NOT NULL,
    tx_hash hash32,
    status text NOT NULL DEFAULT 'pending'::text,
    created_at instant NOT NULL DEFAULT now(),
    chain_id bigint NOT NULL,
    distributor address NOT NULL,
    wallet address NOT NULL,
    base wei NOT NULL,
    paid wei,
    given_up boolean NOT NULL DEFAULT false,
    CONSTRAINT claims_amount_check CHECK (((amount)::numeric > (0)::numeric)),
    CONSTRAINT claims_paid_check CHECK (((status = 'paid'::text) = (paid IS NOT NULL))),
    CONSTRAINT claims_pkey PRIMARY KEY (id),
    CONSTRAINT claims_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text]))),
    CONSTRAINT claims_tx_hash_check CHECK (((status = 'paid'::text) = (tx_hash IS NOT NULL)))
);
CREATE TABLE console_links (
    token_hash hash32 NOT NULL,
    operator text NOT NULL,
    role text NOT NULL,
    expires_at instant NOT NULL,
    CONSTRAINT console_links_operator_check CHECK ((operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'::text)),
    CONSTRAINT console_links_pkey PRIMARY KEY (token_hash),
    CONSTRAINT console_links_role_check CHECK ((role = ANY (ARRAY['moderator'::text, 'operator'::text])))
);
CREATE TABLE console_sessions (
    id_hash hash32 NOT NULL,
    operator text NOT NULL,
    role text NOT NULL,
    by_proxy boolean NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    used_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL,
    CONSTRAINT console_sessions_expires_check CHECK (((expires_at)::timestamp with time zone > (created_at)::timestamp with time zone)),
    CONSTRAINT console_sessions_operator_check CHECK ((operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'::text)),
    CONSTRAINT console_sessions_pkey PRIMARY KEY (id_hash),
    CONSTRAINT console_sessions_role_check CHECK ((role = ANY (ARRAY['moderator'::text, 'operator'::text])))
);
CREATE TABLE conversations (
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    human_id uuid NOT NULL,
    agent_unread integer NOT NULL DEFAULT 0,
    human_unread integer NOT NULL DEFAULT 0,
    created_at instant NOT NULL DEFAULT now(),
    updated_at instant NOT NULL DEFAULT now(),
    agent_requested boolean NOT NULL DEFAULT false,
    agent_muted boolean NOT NULL DEFAULT false,
    agent_blocked boolean NOT NULL DEFAULT false,
    human_requested boolean NOT NULL DEFAULT false,
    human_muted boolean NOT NULL DEFAULT false,
    human_blocked boolean NOT NULL DEFAULT false,
    CONSTRAINT conversations_agent_id_human_id_key UNIQUE (agent_id, human_id),
    CONSTRAINT conversations_agent_unread_check CHECK ((agent_unread >= 0)),
    CONSTRAINT conversations_human_unread_check CHECK ((human_unread >= 0)),
    CONSTRAINT conversations_pkey PRIMARY KEY (id),
    CONSTRAINT conversations_requested_check CHECK ((NOT (agent_requested AND human_requested)))
);
CREATE TABLE direct_messages (
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    sender_kind text NOT NULL,
    content text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    read_at instant,
    visibility text NOT NULL DEFAULT 'shown'::text,
    measure_id uuid,
    CONSTRAINT direct_messages_content_check CHECK (((char_length(content) >= 1) AND (char_length(content) <= 4000))),
    CONSTRAINT direct_messages_pkey PRIMARY KEY (id),
    CONSTRAINT direct_messages_sender_kind_check CHECK ((sender_kind = ANY (ARRAY['agent'::text, 'human'::text]))),
    CONSTRAINT direct_messages_visibility_check CHECK (((visibility = ANY (ARRAY['shown'::text, 'hidden'::text, 'removed'::text])) AND ((visibility = 'shown'::text) = (measure_id IS NULL))))
);
CREATE TABLE disputes (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    filed_by text NOT NULL,
    reason text NOT NULL,
    response text NOT NULL DEFAULT ''::text,
    responded_at instant,
    created_at instant NOT NULL DEFAULT now(),
    response_id uuid,
    CONSTRAINT disputes_check CHECK (((responded_at IS NULL) = (response = ''::text))),
    CONSTRAINT disputes_filed_by_check CHECK ((filed_by = ANY (ARRAY['agent'::text, 'human'::text]))),
    CONSTRAINT disputes_pkey PRIMARY KEY (id),
    CONSTRAINT disputes_reason_check CHECK ((char_length(reason) <= 4000)),
    CONSTRAINT disputes_response_check CHECK ((char_length(response) <= 4000)),
    CONSTRAINT disputes_response_id_check CHECK (((response_id IS NULL) = (response = ''::text))),
    CONSTRAINT disputes_task_id_filed_by_key UNIQUE (task_id, filed_by)
);
CREATE TABLE erasures (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    requested_by text NOT NULL,
    erased_at instant NOT NULL,
    contracts_erased_at instant,
    listed boolean NOT NULL DEFAULT false,
    CONSTRAINT erasures_pkey PRIMARY KEY (id),
    CONSTRAINT erasures_requested_by_check CHECK ((requested_by = ANY (ARRAY['account'::text, 'operator'::text])))
);
CREATE TABLE event_log (
    alone boolean NOT NULL DEFAULT true,
    epoch text NOT NULL DEFAULT substr(md5((gen_random_uuid())::text), 1, 8),
    swept bigint NOT NULL DEFAULT 0,
    CONSTRAINT event_log_alone_check CHECK (alone),
    CONSTRAINT event_log_pkey PRIMARY KEY (alone)
);
CREATE TABLE events (
    id bigint NOT NULL DEFAULT nextval('events_id_seq'::regclass),
    audience_id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    task_id uuid,
    status text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    CONSTRAINT events_kind_check CHECK ((kind = ANY (ARRAY['activity'::text, 'task'::text, 'application'::text, 'access'::text]))),
    CONSTRAINT events_pkey PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE files (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 hash32 NOT NULL,
    uploader_id uuid NOT NULL,
    uploader_kind text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    visibility text NOT NULL DEFAULT 'shown'::text,
    measure_id uuid,
    CONSTRAINT files_content_type_check CHECK ((char_length(content_type) <= 200)),
    CONSTRAINT files_filename_check CHECK (((char_length(filename) >= 1) AND (char_length(filename) <= 200))),
    CONSTRAINT files_pkey PRIMARY KEY (id),
    CONSTRAINT files_size_check CHECK (((size >= 0) AND (size <= 26214400))),
    CONSTRAINT files_visibility_check CHECK (((visibility = ANY (ARRAY['shown'::text, 'hidden'::text, 'removed'::text])) AND ((visibility = 'shown'::text) = (measure_id IS NULL))))
);
CREATE TABLE humans (
    id uuid NOT NULL,
    kind text NOT NULL DEFAULT 'human'::text,
    skills text[] NOT NULL DEFAULT '{}'::text[],
    location text,
    remote boolean NOT NULL DEFAULT true,
    hourly_rate wei,
    available boolean NOT NULL DEFAULT false,
    place text,
    search tsvector NOT NULL DEFAULT ''::tsvector,
    verified boolean NOT NULL DEFAULT false,
    rating numeric(3,2),
    listed boolean NOT NULL DEFAULT true,
    adult_at timestamp(3) with time zone,
    CONSTRAINT humans_adult_at_check CHECK (isfinite(adult_at)),
    CONSTRAINT humans_check CHECK (((place IS NULL) OR (location IS NOT NULL))),
    CONSTRAINT humans_kind_check CHECK ((kind = 'human'::text)),
    CONSTRAINT humans_location_check CHECK ((char_length(location) <= 100)),
    CONSTRAINT humans_pkey PRIMARY KEY (id),
    CONSTRAINT humans_place_check CHECK ((char_length(place) <= 2000)),
    CONSTRAINT humans_rating_check CHECK (((rating >= (1)::numeric) AND (rating <= (5)::numeric))),
    CONSTRAINT humans_skills_check CHECK ((cardinality(skills) <= 10))
);
CREATE TABLE idempotency_keys (
    scope hash32 NOT NULL,
    request_hash hash32 NOT NULL,
    record_id uuid NOT NULL,
    held_until instant NOT NULL,
    status smallint,
    body bytea,
    created_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL,
    account_id uuid,
    CONSTRAINT idempotency_keys_check CHECK (((status IS NULL) = (body IS NULL))),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope)
);
CREATE TABLE keeper_lease (
    chain_id bigint NOT NULL,
    holder text NOT NULL,
    account address NOT NULL,
    epoch bigint NOT NULL,
    lease_until instant NOT NULL,
    limited_at instant,
    CONSTRAINT keeper_lease_epoch_check CHECK ((epoch > 0)),
    CONSTRAINT keeper_lease_holder_check CHECK ((holder <> ''::text)),
    CONSTRAINT keeper_lease_pkey PRIMARY KEY (chain_id)
);
CREATE TABLE keeper_spending (
    chain_id bigint NOT NULL,
    sender address NOT NULL,
    nonce bigint NOT NULL,
    tx_hash hash32 NOT NULL,
    most wei NOT NULL,
    paid wei,
    signed_at instant NOT NULL,
    replacements integer NOT NULL DEFAULT 0,
    replaced bytea[] NOT NULL DEFAULT '{}'::bytea[],
    CONSTRAINT keeper_spending_check CHECK (((paid)::numeric <= (most)::numeric)),
    CONSTRAINT keeper_spending_nonce_check CHECK ((nonce >= 0)),
    CONSTRAINT keeper_spending_pkey PRIMARY KEY (chain_id, sender, nonce)
);
CREATE TABLE list_changes (
    scope_id uuid NOT NULL,
    list text NOT NULL,
    items bigint NOT NULL,
    CONSTRAINT list_changes_items_check CHECK ((items <> 0))
);
CREATE TABLE list_counts (
    scope_id uuid NOT NULL,
    list text NOT NULL,
    items bigint NOT NULL,
    CONSTRAINT list_counts_items_check CHECK ((items >= 0)),
    CONSTRAINT list_counts_pkey PRIMARY KEY (scope_id, list)
);
CREATE TABLE moderation_decisions (
    id uuid NOT NULL,
    subject_kind text NOT NULL,
    subject_id uuid NOT NULL,
    author_id uuid NOT NULL,
    author_kind text NOT NULL,
    measure text NOT NULL,
    territory text NOT NULL,
    facts text NOT NULL,
    automation text NOT NULL,
    clause text NOT NULL,
    decided_by text NOT NULL,
    decided_at instant NOT NULL DEFAULT now(),
    ended_at instant,
    ended_by text,
    listed boolean NOT NULL DEFAULT false,
    end_listed boolean NOT NULL DEFAULT false,
    subject_text text NOT NULL DEFAULT ''::text,
    CONSTRAINT moderation_decisions_automation_check CHECK ((automation = ANY (ARRAY['none'::text, 'detection'::text]))),
    CONSTRAINT moderation_decisions_check CHECK (
CASE subject_kind
    WHEN 'profile'::text THEN (measure = ANY (ARRAY['none'::text, 'hide'::text, 'limit'::text, 'suspend'::text]))
    ELSE (measure = ANY (ARRAY['none'::text, 'hide'::text, 'remove'::text]))
END),
    CONSTRAINT moderation_decisions_check1 CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
    CONSTRAINT moderation_decisions_check2 CHECK (((measure <> 'none'::text) OR (ended_at IS NULL))),
    CONSTRAINT moderation_decisions_check3 CHECK (((measure = 'none'::text) OR ((territory <> ''::text) AND (facts <> ''::text) AND (clause <> ''::text)))),
    CONSTRAINT moderation_decisions_clause_check CHECK ((char_length(clause) <= 200)),
    CONSTRAINT moderation_decisions_decided_by_check CHECK ((decided_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'::text)),
    CONSTRAINT moderation_decisions_ended_by_check CHECK ((ended_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'::text)),
    CONSTRAINT moderation_decisions_facts_check CHECK ((char_length(facts) <= 4000)),
    CONSTRAINT moderation_decisions_id_decided_by_decided_at_key UNIQUE (id, decided_by, decided_at),
    CONSTRAINT moderation_decisions_pkey PRIMARY KEY (id),
    CONSTRAINT moderation_decisions_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['task'::text, 'profile'::text, 'message'::text, 'file'::text]))),
    CONSTRAINT moderation_decisions_territory_check CHECK ((char_length(territory) <= 100))
);
CREATE TABLE onchain_applications (
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    id bigint NOT NULL,
    task_id bigint NOT NULL,
    human address NOT NULL,
    agent address NOT NULL,
    amount wei NOT NULL,
    expires_at instant NOT NULL,
    status text NOT NULL,
    accepted boolean NOT NULL DEFAULT false,
    rejected boolean NOT NULL DEFAULT false,
    withdrawn boolean NOT NULL DEFAULT false,
    locked_at instant NOT NULL,
    ended_at instant,
    locked_tx hash32 NOT NULL,
    locked_ordinal integer NOT NULL,
    locked_block bigint NOT NULL,
    locked_index integer NOT NULL,
    CONSTRAINT onchain_applications_check CHECK (((agent)::bytea <> (human)::bytea)),
    CONSTRAINT onchain_applications_check1 CHECK (((status = ANY (ARRAY['returned'::text, 'forfeited'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT onchain_applications_check2 CHECK (((NOT (accepted AND (rejected OR withdrawn))) AND (NOT (rejected AND withdrawn)))),
    CONSTRAINT onchain_applications_id_check CHECK ((id > 0)),
    CONSTRAINT onchain_applications_locked_ordinal_check CHECK ((locked_ordinal >= 0)),
    CONSTRAINT onchain_applications_pkey PRIMARY KEY (chain_id, escrow, id),
    CONSTRAINT onchain_applications_status_check CHECK ((status = ANY (ARRAY['live'::text, 'activated'::text, 'returned'::text, 'forfeited'::text])))
);
CREATE TABLE onchain_tasks (
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    id bigint NOT NULL,
    status smallint NOT NULL,
    agent address NOT NULL,
    human address,
    amount wei NOT NULL,
    fee_basis_points integer NOT NULL,
    terms_hash hash32,
    work_hash hash32,
    application_id bigint,
    panel bigint,
    agent_approved boolean NOT NULL DEFAULT false,
    disputed_by address,
    posted_at instant NOT NULL,
    accepted_at instant,
    submitted_at instant,
    disputed_at instant,
    approved_at instant,
    last_activity_at instant,
    ended_at instant,
    settle_at instant,
    verdict boolean,
    paid wei,
    fee wei,
    refund wei,
    posted_tx hash32 NOT NULL,
    posted_ordinal integer NOT NULL,
    posted_block bigint NOT NULL,
    posted_index integer NOT NULL,
    accept_tx hash32,
    submit_tx hash32,
    end_tx hash32,
    cancelled_by address,
    CONSTRAINT onchain_tasks_amount_check CHECK (((amount)::numeric > (0)::numeric)),
    CONSTRAINT onchain_tasks_check CHECK (((status <> 5) OR ((((paid)::numeric + (fee)::numeric) = (amount)::numeric) AND (refund IS NULL)))),
    CONSTRAINT onchain_tasks_check1 CHECK (((status <> ALL (ARRAY[6, 7])) OR (((refund)::numeric = (amount)::numeric) AND (paid IS NULL) AND (fee IS NULL)))),
    CONSTRAINT onchain_tasks_check2 CHECK ((((status >= 5) = (ended_at IS NOT NULL)) AND ((status >= 5) = (end_tx IS NOT NULL)))),
    CONSTRAINT onchain_tasks_check3 CHECK (((status <> ALL (ARRAY[2, 3, 4, 5, 6])) OR ((human IS NOT NULL) AND ((human)::bytea <> (agent)::bytea)))),
    CONSTRAINT onchain_tasks_check4 CHECK (((status <> ALL (ARRAY[3, 4, 5, 6])) OR (submitted_at IS NOT NULL))),
    CONSTRAINT onchain_tasks_check5 CHECK (((status <> 7) OR (submitted_at IS NULL))),
    CONSTRAINT onchain_tasks_check6 CHECK (((cancelled_by IS NULL) OR ((status = 7) AND (((cancelled_by)::bytea = (agent)::bytea) OR (((cancelled_by)::bytea = (human)::bytea) AND (accepted_at IS NOT NULL)))))),
    CONSTRAINT onchain_tasks_fee_basis_points_check CHECK (((fee_basis_points >= 0) AND (fee_basis_points <= 2000))),
    CONSTRAINT onchain_tasks_id_check CHECK ((id > 0)),
    CONSTRAINT onchain_tasks_pkey PRIMARY KEY (chain_id, escrow, id),
    CONSTRAINT onchain_tasks_posted_ordinal_check CHECK ((posted_ordinal >= 0)),
    CONSTRAINT onchain_tasks_status_check CHECK (((status >= 1) AND (status <= 7)))
);
CREATE TABLE outbox (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    kind text NOT NULL,
    dedupe_key text NOT NULL,
    payload jsonb NOT NULL,
    gate text NOT NULL DEFAULT 'seen'::text,
    state text NOT NULL DEFAULT 'pending'::text,
    run_at instant NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    nonce bigint,
    tx_hash hash32,
    raw_tx bytea,
    error text NOT NULL DEFAULT ''::text,
    created_at instant NOT NULL DEFAULT now(),
    sender address,
    resend boolean NOT NULL DEFAULT false,
    CONSTRAINT outbox_dedupe_key_key UNIQUE (dedupe_key),
    CONSTRAINT outbox_gate_check CHECK ((gate = ANY (ARRAY['seen'::text, 'safe'::text, 'final'::text]))),
    CONSTRAINT outbox_kind_check CHECK ((kind = ANY (ARRAY['verdicts'::text, 'settle'::text, 'claim'::text, 'cancel'::text]))),
    CONSTRAINT outbox_pkey PRIMARY KEY (id),
    CONSTRAINT outbox_sent_check CHECK (((state <> 'sent'::text) OR (raw_tx IS NOT NULL))),
    CONSTRAINT outbox_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'done'::text, 'failed'::text]))),
    CONSTRAINT outbox_transaction_check CHECK ((num_nonnulls(sender, nonce, tx_hash, raw_tx) = ANY (ARRAY[0, 4])))
);
CREATE TABLE rate_limits (
    key text NOT NULL,
    tat timestamp with time zone NOT NULL,
    CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);
CREATE TABLE reports (
    id uuid NOT NULL,
    reporter_id uuid,
    reporter_kind text,
    subject_kind text NOT NULL,
    subject_id uuid NOT NULL,
    author_id uuid NOT NULL,
    category text NOT NULL,
    comment text NOT NULL DEFAULT ''::text,
    decision_id uuid,
    created_at instant NOT NULL DEFAULT now(),
    subject_text text NOT NULL DEFAULT ''::text,
    rule text,
    record_id uuid,
    CONSTRAINT reports_category_check CHECK ((category = ANY (ARRAY['illegal'::text, 'fraud'::text, 'privacy'::text, 'harassment'::text, 'sexual'::text, 'spam'::text, 'other_reason'::text]))),
    CONSTRAINT reports_check CHECK ((author_id <> reporter_id)),
    CONSTRAINT reports_comment_check CHECK ((char_length(comment) <= 2000)),
    CONSTRAINT reports_pkey PRIMARY KEY (id),
    CONSTRAINT reports_rule_check CHECK (
CASE
    WHEN (rule IS NULL) THEN ((reporter_id IS NOT NULL) AND (reporter_kind IS NOT NULL) AND (record_id IS NULL))
    ELSE ((reporter_id IS NULL) AND (reporter_kind IS NULL) AND (record_id IS NOT NULL))
END),
    CONSTRAINT reports_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['task'::text, 'profile'::text, 'message'::text, 'file'::text]))),
    CONSTRAINT reports_subject_text_check CHECK (((decision_id IS NULL) OR (subject_text = ''::text)))
);
CREATE TABLE reviews (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    reviewer_id uuid NOT NULL,
    reviewer_kind text NOT NULL,
    subject_id uuid NOT NULL,
    subject_kind text NOT NULL,
    rating smallint NOT NULL,
    comment text,
    counts boolean NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    after_rejection boolean NOT NULL DEFAULT false,
    CONSTRAINT reviews_after_rejection_check CHECK (((NOT after_rejection) OR ((reviewer_kind = 'human'::text) AND (NOT counts)))),
    CONSTRAINT reviews_check CHECK ((reviewer_kind <> subject_kind)),
    CONSTRAINT reviews_comment_check CHECK (((char_length(comment) >= 1) AND (char_length(comment) <= 2000))),
    CONSTRAINT reviews_pkey PRIMARY KEY (id),
    CONSTRAINT reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
    CONSTRAINT reviews_task_id_reviewer_id_key UNIQUE (task_id, reviewer_id)
);
CREATE TABLE sessions (
    id_hash hash32 NOT NULL,
    human_id uuid NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL,
    last_used_at timestamp(3) with time zone,
    network cidr,
    browser text,
    system text,
    CONSTRAINT sessions_browser_check CHECK ((browser = ANY (ARRAY['chrome'::text, 'edge'::text, 'firefox'::text, 'opera'::text, 'safari'::text, 'other'::text]))),
    CONSTRAINT sessions_last_used_at_check CHECK (isfinite(last_used_at)),
    CONSTRAINT sessions_network_check CHECK ((masklen((network)::inet) =
CASE family((network)::inet)
    WHEN 4 THEN 24
    ELSE 48
END)),
    CONSTRAINT sessions_pkey PRIMARY KEY (id_hash),
    CONSTRAINT sessions_system_check CHECK ((system = ANY (ARRAY['android'::text, 'ios'::text, 'linux'::text, 'macos'::text, 'windows'::text, 'other'::text])))
);
CREATE TABLE submission_files (
    submission_id uuid NOT NULL,
    file_id uuid NOT NULL,
    CONSTRAINT submission_files_pkey PRIMARY KEY (submission_id, file_id)
);
CREATE TABLE submissions (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    human_id uuid NOT NULL,
    note text NOT NULL,
    proof_url text,
    work_hash hash32 NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    CONSTRAINT submissions_note_check CHECK ((char_length(note) <= 10000)),
    CONSTRAINT submissions_pkey PRIMARY KEY (id),
    CONSTRAINT submissions_proof_url_check CHECK (((char_length(proof_url) >= 1) AND (char_length(proof_url) <= 2000))),
    CONSTRAINT submissions_task_id_work_hash_key UNIQUE (task_id, work_hash)
);
CREATE TABLE task_messages (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    sender_id uuid NOT NULL,
    sender_kind text NOT NULL,
    content text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    read_at instant,
    visibility text NOT NULL DEFAULT 'shown'::text,
    measure_id uuid,
    CONSTRAINT task_messages_content_check CHECK (((char_length(content) >= 1) AND (char_length(content) <= 4000))),
    CONSTRAINT task_messages_pkey PRIMARY KEY (id),
    CONSTRAINT task_messages_visibility_check CHECK (((visibility = ANY (ARRAY['shown'::text, 'hidden'::text, 'removed'::text])) AND ((visibility = 'shown'::text) = (measure_id IS NULL))))
);
CREATE TABLE tasks (
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    skills text[] NOT NULL DEFAULT '{}'::text[],
    location text,
    remote boolean NOT NULL DEFAULT true,
    amount wei NOT NULL,
    fee_basis_points integer NOT NULL,
    deadline instant,
    terms_hash hash32 NOT NULL,
    chain_id bigint NOT NULL,
    escrow address NOT NULL,
    claimed_tx hash32,
    claimed_ordinal integer,
    status text NOT NULL DEFAULT 'new'::text,
    escrow_task_id bigint,
    human_id uuid,
    turns_at instant,
    changed_block bigint NOT NULL DEFAULT 0,
    created_at instant NOT NULL DEFAULT now(),
    updated_at instant NOT NULL DEFAULT now(),
    search tsvector NOT NULL GENERATED ALWAYS AS ((setweight(to_tsvector('simple'::regconfig, title), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, description), 'B'::"char"))) STORED,
    place text,
    lapsed_at timestamp with time zone,
    visibility text NOT NULL DEFAULT 'shown'::text,
    measure_id uuid,
    hold_rule text,
    hold_due_at timestamp(3) with time zone,
    erased_at timestamp with time zone,
    CONSTRAINT tasks_amount_check CHECK (((amount)::numeric >= ('10000000000000000'::bigint)::numeric)),
    CONSTRAINT tasks_check CHECK (((claimed_tx IS NULL) = (claimed_ordinal IS NULL))),
    CONSTRAINT tasks_check1 CHECK (((status = 'new'::text) = (escrow_task_id IS NULL))),
    CONSTRAINT tasks_check2 CHECK (((human_id IS NULL) OR (status <> ALL (ARRAY['new'::text, 'funded'::text])))),
    CONSTRAINT tasks_check3 CHECK (((place IS NULL) OR (location IS NOT NULL))),
    CONSTRAINT tasks_description_check CHECK (((char_length(description) >= 1) AND (char_length(description) <= 20000))),
    CONSTRAINT tasks_erased_check CHECK (((erased_at IS NULL) OR (status <> 'funded'::text) OR (visibility <> 'shown'::text))),
    CONSTRAINT tasks_fee_basis_points_check CHECK (((fee_basis_points >= 0) AND (fee_basis_points <= 2000))),
    CONSTRAINT tasks_hold_due_at_check CHECK (isfinite(hold_due_at)),
    CONSTRAINT tasks_lapsed_check CHECK (((lapsed_at IS NULL) OR (status = 'new'::text))),
    CONSTRAINT tasks_location_check CHECK ((char_length(location) <= 100)),
    CONSTRAINT tasks_pkey PRIMARY KEY (id),
    CONSTRAINT tasks_place_check CHECK ((char_length(place) <= 2000)),
    CONSTRAINT tasks_skills_check CHECK ((cardinality(skills) <= 10)),
    CONSTRAINT tasks_status_check CHECK ((status = ANY (ARRAY['new'::text, 'funded'::text, 'active'::text, 'submitted'::text, 'validating'::text, 'disputed'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text, 'expired'::text]))),
    CONSTRAINT tasks_terms_hash_key UNIQUE (terms_hash),
    CONSTRAINT tasks_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200))),
    CONSTRAINT tasks_visibility_check CHECK (((visibility = ANY (ARRAY['shown'::text, 'held'::text, 'hidden'::text, 'removed'::text])) AND ((visibility = ANY (ARRAY['hidden'::text, 'removed'::text])) = (measure_id IS NOT NULL)) AND ((visibility = 'held'::text) = (hold_due_at IS NOT NULL)) AND ((hold_due_at IS NULL) OR (hold_rule IS NOT NULL)) AND ((char_length(hold_rule) >= 1) AND (char_length(hold_rule) <= 100))))
);
CREATE TABLE usernames (
    skeleton text NOT NULL,
    user_id uuid NOT NULL,
    released_at instant,
    CONSTRAINT usernames_pkey PRIMARY KEY (skeleton),
    CONSTRAINT usernames_skeleton_check CHECK (((char_length(skeleton) >= 1) AND (char_length(skeleton) <= 60)))
);
CREATE TABLE users (
    id uuid NOT NULL,
    kind text NOT NULL,
    username text NOT NULL,
    name text NOT NULL,
    bio text NOT NULL DEFAULT ''::text,
    wallet address NOT NULL,
    verification_code text NOT NULL,
    code_expires_at instant NOT NULL,
    social_network text,
    social_handle text,
    social_account_id text,
    social_post_id text,
    verified_at instant,
    created_at instant NOT NULL DEFAULT now(),
    updated_at instant NOT NULL DEFAULT now(),
    reviews integer NOT NULL DEFAULT 0,
    ratings integer NOT NULL DEFAULT 0,
    stars bigint NOT NULL DEFAULT 0,
    code_account text,
    linked_code text,
    social_posted_at instant,
    former_username text,
    account_state text NOT NULL DEFAULT 'good'::text,
    measure_id uuid,
    CONSTRAINT users_account_state_check CHECK (((account_state = ANY (ARRAY['good'::text, 'hidden'::text, 'limited'::text, 'suspended'::text])) AND ((account_state = 'good'::text) = (measure_id IS NULL)))),
    CONSTRAINT users_bio_check CHECK ((char_length(bio) <= 2000)),
    CONSTRAINT users_check CHECK ((((verified_at IS NULL) = (social_network IS NULL)) AND ((verified_at IS NULL) = (social_handle IS NULL)) AND ((verified_at IS NULL) = (social_account_id IS NULL)) AND ((verified_at IS NULL) = (social_post_id IS NULL)))),
    CONSTRAINT users_check1 CHECK (((stars >= ratings) AND (stars <= (5 * ratings)))),
    CONSTRAINT users_check2 CHECK ((ratings <= reviews)),
    CONSTRAINT users_code_account_check CHECK (((length(code_account) >= 3) AND (length(code_account) <= 300))),
    CONSTRAINT users_former_username_check CHECK (((former_username IS NULL) OR (kind = 'agent'::text))),
    CONSTRAINT users_id_kind_key UNIQUE (id, kind),
    CONSTRAINT users_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'human'::text]))),
    CONSTRAINT users_linked_code_check CHECK (((linked_code IS NULL) OR (verified_at IS NOT NULL))),
    CONSTRAINT users_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_posted_check CHECK (((social_posted_at IS NULL) = (verified_at IS NULL))),
    CONSTRAINT users_ratings_check CHECK ((ratings >= 0)),
    CONSTRAINT users_reviews_check CHECK ((reviews >= 0)),
    CONSTRAINT users_username_check CHECK ((username ~ '^[A-Za-z0-9]([A-Za-z0-9-]{0,28}[A-Za-z0-9])?$'::text)),
    CONSTRAINT users_verification_code_key UNIQUE (verification_code)
);
CREATE TABLE verdicts (
    id uuid NOT NULL,
    task_id uuid NOT NULL,
    round smallint NOT NULL,
    validator address NOT NULL,
    human_id uuid NOT NULL,
    approved boolean NOT NULL,
    reason text NOT NULL,
    work_hash hash32 NOT NULL,
    signature bytea NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    CONSTRAINT verdicts_pkey PRIMARY KEY (id),
    CONSTRAINT verdicts_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 4000))),
    CONSTRAINT verdicts_round_check CHECK ((round = ANY (ARRAY[0, 1]))),
    CONSTRAINT verdicts_signature_check CHECK (((octet_length(signature) >= 65) AND (octet_length(signature) <= 16384))),
    CONSTRAINT verdicts_task_id_round_validator_key UNIQUE (task_id, round, validator)
);
ALTER TABLE activities ADD CONSTRAINT activities_audience_id_audience_kind_fkey FOREIGN KEY (audience_id, audience_kind) REFERENCES users(id, kind);
ALTER TABLE agents ADD CONSTRAINT agents_id_kind_fkey FOREIGN KEY (id, kind) REFERENCES users(id, kind);
ALTER TABLE appeals ADD CONSTRAINT appeals_decision_id_first_decider_imposed_at_fkey FOREIGN KEY (decision_id, first_decider, imposed_at) REFERENCES moderation_decisions(id, decided_by, decided_at);
ALTER TABLE applications ADD CONSTRAINT applications_chain_id_escrow_onchain_application_id_fkey FOREIGN KEY (chain_id, escrow, onchain_application_id) REFERENCES onchain_applications(chain_id, escrow, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE applications ADD CONSTRAINT applications_human_id_fkey FOREIGN KEY (human_id) REFERENCES humans(id);
ALTER TABLE applications ADD CONSTRAINT applications_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE barred_links ADD CONSTRAINT barred_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE chain_blocks ADD CONSTRAINT chain_blocks_chain_id_fkey FOREIGN KEY (chain_id) REFERENCES chain_head(chain_id);
ALTER TABLE claims ADD CONSTRAINT claims_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id);
ALTER TABLE conversations ADD CONSTRAINT conversations_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id);
ALTER TABLE conversations ADD CONSTRAINT conversations_human_id_fkey FOREIGN KEY (human_id) REFERENCES humans(id);
ALTER TABLE direct_messages ADD CONSTRAINT direct_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id);
ALTER TABLE direct_messages ADD CONSTRAINT direct_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions(id);
ALTER TABLE disputes ADD CONSTRAINT disputes_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE erasures ADD CONSTRAINT erasures_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id);
ALTER TABLE files ADD CONSTRAINT files_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions(id);
ALTER TABLE files ADD CONSTRAINT files_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE files ADD CONSTRAINT files_uploader_id_uploader_kind_fkey FOREIGN KEY (uploader_id, uploader_kind) REFERENCES users(id, kind);
ALTER TABLE humans ADD CONSTRAINT humans_id_kind_fkey FOREIGN KEY (id, kind) REFERENCES users(id, kind);
ALTER TABLE moderation_decisions ADD CONSTRAINT moderation_decisions_author_id_author_kind_fkey FOREIGN KEY (author_id, author_kind) REFERENCES users(id, kind);
ALTER TABLE reports ADD CONSTRAINT reports_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id);
ALTER TABLE reports ADD CONSTRAINT reports_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES moderation_decisions(id);
ALTER TABLE reports ADD CONSTRAINT reports_reporter_id_reporter_kind_fkey FOREIGN KEY (reporter_id, reporter_kind) REFERENCES users(id, kind);
ALTER TABLE reviews ADD CONSTRAINT reviews_reviewer_id_reviewer_kind_fkey FOREIGN KEY (reviewer_id, reviewer_kind) REFERENCES users(id, kind);
ALTER TABLE reviews ADD CONSTRAINT reviews_subject_id_subject_kind_fkey FOREIGN KEY (subject_id, subject_kind) REFERENCES users(id, kind);
ALTER TABLE reviews ADD CONSTRAINT reviews_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE sessions ADD CONSTRAINT sessions_human_id_fkey FOREIGN KEY (human_id) REFERENCES humans(id);
ALTER TABLE submission_files ADD CONSTRAINT submission_files_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id);
ALTER TABLE submission_files ADD CONSTRAINT submission_files_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id);
ALTER TABLE submissions ADD CONSTRAINT submissions_human_id_fkey FOREIGN KEY (human_id) REFERENCES humans(id);
ALTER TABLE submissions ADD CONSTRAINT submissions_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE task_messages ADD CONSTRAINT task_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions(id);
ALTER TABLE task_messages ADD CONSTRAINT task_messages_sender_id_sender_kind_fkey FOREIGN KEY (sender_id, sender_kind) REFERENCES users(id, kind);
ALTER TABLE task_messages ADD CONSTRAINT task_messages_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE tasks ADD CONSTRAINT tasks_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id);
ALTER TABLE tasks ADD CONSTRAINT tasks_chain_id_escrow_escrow_task_id_fkey FOREIGN KEY (chain_id, escrow, escrow_task_id) REFERENCES onchain_tasks(chain_id, escrow, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE tasks ADD CONSTRAINT tasks_human_id_fkey FOREIGN KEY (human_id) REFERENCES humans(id);
ALTER TABLE tasks ADD CONSTRAINT tasks_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions(id);
ALTER TABLE usernames ADD CONSTRAINT usernames_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);
ALTER TABLE users ADD CONSTRAINT users_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions(id);
ALTER TABLE verdicts ADD CONSTRAINT verdicts_human_id_fkey FOREIGN KEY (human_id) REFERENCES humans(id);
ALTER TABLE verdicts ADD CONSTRAINT verdicts_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
CREATE INDEX activities_audience_idx ON public.activities USING btree (audience_id, created_at DESC, id DESC);
CREATE INDEX activities_audience_type_idx ON public.activities USING btree (audience_id, type, created_at DESC, id DESC);
CREATE INDEX activities_block_hash_idx ON public.activities USING btree (chain_id, block_hash) WHERE (block_hash IS NOT NULL);
CREATE INDEX activities_pending_idx ON public.activities USING btree (chain_id, block_number) WHERE (status = 'pending'::text);
CREATE INDEX appeals_open_idx ON public.appeals USING btree (created_at) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX applications_accepted_idx ON public.applications USING btree (task_id) WHERE (status = 'accepted'::text);
CREATE INDEX applications_human_id_idx ON public.applications USING btree (human_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX applications_live_idx ON public.applications USING btree (task_id, human_id) WHERE (status = ANY (ARRAY['new'::text, 'pending'::text, 'accepted'::text]));
CREATE UNIQUE INDEX applications_onchain_idx ON public.applications USING btree (chain_id, escrow, onchain_application_id);
CREATE UNIQUE INDEX applications_stake_tx_idx ON public.applications USING btree (chain_id, escrow, stake_tx, stake_ordinal);
CREATE INDEX applications_task_id_idx ON public.applications USING btree (task_id, created_at DESC, id DESC);
CREATE INDEX applications_turns_back_idx ON public.applications USING btree (chain_id, turns_at) WHERE (status = 'expired'::text);
CREATE INDEX applications_turns_forward_idx ON public.applications USING btree (chain_id, turns_at) WHERE (status = 'pending'::text);
CREATE INDEX audit_log_account_idx ON ONLY public.audit_log USING btree (account_id, id) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_log_kind_idx ON ONLY public.audit_log USING btree (kind, id);
CREATE INDEX audit_log_subject_idx ON ONLY public.audit_log USING btree (subject, id) WHERE (subject IS NOT NULL);
CREATE INDEX barred_links_user_idx ON public.barred_links USING btree (user_id);
CREATE UNIQUE INDEX chain_blocks_canonical_idx ON public.chain_blocks USING btree (chain_id, number) WHERE canonical;
CREATE INDEX chain_logs_application_idx ON public.chain_logs USING btree (chain_id, address, application_id, block_number, log_index) WHERE (canonical AND (application_id IS NOT NULL));
CREATE INDEX chain_logs_parameters_idx ON public.chain_logs USING btree (chain_id, address, block_number, log_index) WHERE (canonical AND (kind = ANY (ARRAY['FeeChanged'::text, 'ValidatorAdded'::text, 'ValidatorRemoved'::text, 'QuorumChanged'::text, 'Paused'::text, 'Unpaused'::text])));
CREATE INDEX chain_logs_reward_idx ON public.chain_logs USING btree (chain_id, ((event ->> 'agent'::text))) WHERE (canonical AND (kind = 'Claimed'::text));
CREATE INDEX chain_logs_task_idx ON public.chain_logs USING btree (chain_id, address, task_id, block_number, log_index) WHERE (canonical AND (task_id IS NOT NULL));
CREATE INDEX challenges_expires_at_idx ON public.challenges USING btree (expires_at);
CREATE INDEX claims_agent_id_idx ON public.claims USING btree (agent_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX claims_open_idx ON public.claims USING btree (agent_id) WHERE (status = 'pending'::text);
CREATE INDEX claims_wallet_idx ON public.claims USING btree (wallet, chain_id, distributor);
CREATE INDEX conversations_agent_folder_idx ON public.conversations USING btree (agent_id, conversation_folder(agent_requested, agent_blocked), updated_at DESC, id DESC);
CREATE INDEX conversations_agent_idx ON public.conversations USING btree (agent_id, updated_at DESC, id DESC);
CREATE INDEX conversations_human_folder_idx ON public.conversations USING btree (human_id, conversation_folder(human_requested, human_blocked), updated_at DESC, id DESC);
CREATE INDEX conversations_human_idx ON public.conversations USING btree (human_id, updated_at DESC, id DESC);
CREATE INDEX direct_messages_conversation_idx ON public.direct_messages USING btree (conversation_id, created_at, id);
CREATE INDEX erasures_account_id_idx ON public.erasures USING btree (account_id);
CREATE INDEX erasures_contracts_idx ON public.erasures USING btree (erased_at) WHERE (contracts_erased_at IS NULL);
CREATE INDEX erasures_unlisted_idx ON public.erasures USING btree (erased_at) WHERE (NOT listed);
CREATE INDEX events_audience_idx ON ONLY public.events USING btree (audience_id, id);
CREATE INDEX files_task_id_idx ON public.files USING btree (task_id, created_at, id);
CREATE INDEX files_uploader_id_idx ON public.files USING btree (uploader_id, created_at) INCLUDE (size);
CREATE INDEX humans_available_idx ON public.humans USING btree (id) WHERE available;
CREATE INDEX humans_place_idx ON public.humans USING btree (place, id) WHERE available;
CREATE INDEX humans_rating_idx ON public.humans USING btree (rating, id) WHERE available;
CREATE INDEX humans_remote_idx ON public.humans USING btree (remote, id) WHERE available;
CREATE INDEX humans_search_idx ON public.humans USING gin (search) WHERE available;
CREATE INDEX humans_skills_idx ON public.humans USING gin (skills) WHERE available;
CREATE INDEX humans_verified_idx ON public.humans USING btree (verified, id) WHERE available;
CREATE INDEX idempotency_keys_expires_at_idx ON public.idempotency_keys USING btree (expires_at);
CREATE INDEX keeper_spending_signed_at_idx ON public.keeper_spending USING btree (chain_id, signed_at);
CREATE INDEX list_changes_scope_idx ON public.list_changes USING btree (scope_id, list);
CREATE INDEX moderation_decisions_author_idx ON public.moderation_decisions USING btree (author_id, decided_at DESC, id DESC) WHERE (measure <> 'none'::text);
CREATE UNIQUE INDEX moderation_decisions_in_force_idx ON public.moderation_decisions USING btree (subject_kind, subject_id) WHERE ((measure <> 'none'::text) AND (ended_at IS NULL));
CREATE INDEX moderation_decisions_unlisted_idx ON public.moderation_decisions USING btree (decided_at) WHERE ((measure = 'suspend'::text) AND ((NOT listed) OR ((ended_at IS NOT NULL) AND (NOT end_listed))));
CREATE INDEX onchain_applications_human_idx ON public.onchain_applications USING btree (chain_id, escrow, human);
CREATE INDEX onchain_applications_live_idx ON public.onchain_applications USING btree (chain_id, escrow, id) WHERE (status = ANY (ARRAY['live'::text, 'activated'::text]));
CREATE UNIQUE INDEX onchain_applications_locking_idx ON public.onchain_applications USING btree (chain_id, escrow, locked_tx, locked_ordinal);
CREATE INDEX onchain_applications_rejected_idx ON public.onchain_applications USING btree (chain_id, agent, escrow, task_id) INCLUDE (ended_at) WHERE rejected;
CREATE INDEX onchain_applications_task_idx ON public.onchain_applications USING btree (chain_id, escrow, task_id, human);
CREATE INDEX onchain_tasks_agent_idx ON public.onchain_tasks USING btree (chain_id, escrow, agent, id);
CREATE INDEX onchain_tasks_human_idx ON public.onchain_tasks USING btree (chain_id, escrow, human) WHERE (human IS NOT NULL);
CREATE INDEX onchain_tasks_live_idx ON public.onchain_tasks USING btree (chain_id, escrow, id) WHERE (status < 5);
CREATE INDEX onchain_tasks_posted_idx ON public.onchain_tasks USING btree (agent) WHERE (status = 1);
CREATE UNIQUE INDEX onchain_tasks_posting_idx ON public.onchain_tasks USING btree (chain_id, escrow, posted_tx, posted_ordinal);
CREATE INDEX onchain_tasks_settle_at_idx ON public.onchain_tasks USING btree (chain_id, escrow, settle_at) WHERE (status = ANY (ARRAY[3, 4]));
CREATE INDEX onchain_tasks_terms_idx ON public.onchain_tasks USING btree (chain_id, escrow, terms_hash, posted_block, posted_index) WHERE (terms_hash IS NOT NULL);
CREATE INDEX outbox_closed_idx ON public.outbox USING btree (run_at) WHERE (state = ANY (ARRAY['done'::text, 'failed'::text]));
CREATE INDEX outbox_open_idx ON public.outbox USING btree (chain_id, run_at, id) WHERE (state = ANY (ARRAY['pending'::text, 'sent'::text]));
CREATE INDEX outbox_task_idx ON public.outbox USING btree (chain_id, escrow, (((payload ->> 'task_id'::text))::bigint)) WHERE (kind = ANY (ARRAY['verdicts'::text, 'settle'::text]));
CREATE INDEX rate_limits_tat_idx ON public.rate_limits USING btree (tat);
CREATE INDEX reports_decision_id_idx ON public.reports USING btree (decision_id) WHERE (decision_id IS NOT NULL);
CREATE UNIQUE INDEX reports_open_idx ON public.reports USING btree (reporter_id, subject_kind, subject_id) WHERE (decision_id IS NULL);
CREATE INDEX reports_queue_idx ON public.reports USING btree (subject_kind, subject_id) WHERE (decision_id IS NULL);
CREATE INDEX reports_reporter_id_idx ON public.reports USING btree (reporter_id, id);
CREATE INDEX reviews_reviewer_id_idx ON public.reviews USING btree (reviewer_id, id);
CREATE INDEX reviews_subject_id_idx ON public.reviews USING btree (subject_id, created_at DESC, id DESC);
CREATE INDEX sessions_expires_at_idx ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_human_id_idx ON public.sessions USING btree (human_id);
CREATE INDEX submission_files_file_id_idx ON public.submission_files USING btree (file_id);
CREATE INDEX submissions_human_id_idx ON public.submissions USING btree (human_id, id);
CREATE INDEX task_messages_sender_id_idx ON public.task_messages USING btree (sender_id, id);
CREATE INDEX task_messages_task_id_idx ON public.task_messages USING btree (task_id, created_at, id);
CREATE INDEX tasks_agent_amount_idx ON public.tasks USING btree (agent_id, amount DESC, id DESC);
CREATE INDEX tasks_agent_deadline_idx ON public.tasks USING btree (agent_id, COALESCE((deadline)::timestamp with time zone, 'infinity'::timestamp with time zone), id);
CREATE INDEX tasks_agent_id_idx ON public.tasks USING btree (agent_id, created_at DESC, id DESC);
CREATE INDEX tasks_agent_status_idx ON public.tasks USING btree (agent_id, status, created_at DESC, id DESC);
CREATE INDEX tasks_board_amount_idx ON public.tasks USING btree (amount DESC, id DESC) WHERE (status = 'funded'::text);
CREATE INDEX tasks_board_deadline_idx ON public.tasks USING btree (COALESCE((deadline)::timestamp with time zone, 'infinity'::timestamp with time zone), id) WHERE (status = 'funded'::text);
CREATE INDEX tasks_board_newest_idx ON public.tasks USING btree (created_at DESC, id DESC) WHERE (status = 'funded'::text);
CREATE INDEX tasks_board_place_idx ON public.tasks USING btree (place, created_at DESC, id DESC) WHERE (status = 'funded'::text);
CREATE INDEX tasks_board_remote_idx ON public.tasks USING btree (remote, created_at DESC, id DESC) WHERE (status = 'funded'::text);
CREATE INDEX tasks_board_search_idx ON public.tasks USING gin (search) WHERE (status = 'funded'::text);
CREATE INDEX tasks_board_skills_idx ON public.tasks USING gin (skills) WHERE (status = 'funded'::text);
CREATE UNIQUE INDEX tasks_claimed_idx ON public.tasks USING btree (claimed_tx, claimed_ordinal, chain_id, escrow) WHERE (claimed_tx IS NOT NULL);
CREATE INDEX tasks_completed_idx ON public.tasks USING btree (human_id) WHERE (status = 'approved'::text);
CREATE INDEX tasks_held_idx ON public.tasks USING btree (hold_due_at) WHERE (visibility = 'held'::text);
CREATE INDEX tasks_human_id_idx ON public.tasks USING btree (human_id, created_at DESC, id DESC) WHERE (human_id IS NOT NULL);
CREATE INDEX tasks_measure_id_idx ON public.tasks USING btree (measure_id) WHERE (measure_id IS NOT NULL);
CREATE UNIQUE INDEX tasks_posting_idx ON public.tasks USING btree (escrow_task_id, chain_id, escrow) WHERE (escrow_task_id IS NOT NULL);
CREATE INDEX tasks_turns_back_idx ON public.tasks USING btree (chain_id, turns_at) WHERE (status = ANY (ARRAY['expired'::text, 'validating'::text]));
CREATE INDEX tasks_turns_forward_idx ON public.tasks USING btree (chain_id, turns_at) WHERE (status = ANY (ARRAY['funded'::text, 'active'::text, 'submitted'::text]));
CREATE INDEX tasks_unfunded_idx ON public.tasks USING btree (updated_at) WHERE ((status = 'new'::text) AND (lapsed_at IS NULL));
CREATE INDEX usernames_released_idx ON public.usernames USING btree (released_at) WHERE (released_at IS NOT NULL);
CREATE INDEX usernames_user_id_idx ON public.usernames USING btree (user_id);
CREATE UNIQUE INDEX users_former_username_idx ON public.users USING btree (lower(former_username) COLLATE "C");
CREATE UNIQUE INDEX users_social_account_idx ON public.users USING btree (kind, social_network, social_account_id);
CREATE UNIQUE INDEX users_social_post_idx ON public.users USING btree (social_network, social_post_id);
CREATE UNIQUE INDEX users_username_idx ON public.users USING btree (lower(username) COLLATE "C");
CREATE UNIQUE INDEX users_wallet_idx ON public.users USING btree (kind, wallet);
CREATE INDEX verdicts_human_id_idx ON public.verdicts USING btree (human_id, id);
