-- +goose Up

-- The schema of version 0.1.0, one subject after the other:
--
--    1. Types                      6. Messages         11. Keeper
--    2. People                     7. Activity feed    12. Event log
--    3. Chain                      8. Rewards          13. Requests
--    4. Tasks                      9. Moderation       14. Operators
--    5. Applications and work     10. Erasure
--
-- A function stands beside its trigger. A constraint without a name gets the usual one, for example
-- users_kind_check. The constraints repeat rules of market/, so that a defect of the program cannot store
-- an illegal state.

-- 1. Types -----------------------------------------------------------------------------------------

-- An amount in wei does not fit into bigint. numeric(78,0) would round 1.5 and accept NaN.
CREATE DOMAIN wei AS numeric
    CHECK (value = trunc(value) AND value >= 0 AND value < 2::numeric ^ 256);

CREATE DOMAIN address AS bytea CHECK (octet_length(value) = 20);
CREATE DOMAIN hash32 AS bytea CHECK (octet_length(value) = 32);

-- Instants have millisecond precision, as in the API. Some columns have the base type and a constraint
-- instead, as in later migrations, where a column of a domain would rewrite its table.
CREATE DOMAIN instant AS timestamptz(3) CHECK (isfinite(value));

-- 2. People ----------------------------------------------------------------------------------------

-- Columns that agents and humans share. A username is unique among all users. A wallet belongs to
-- at most one agent and one human.
CREATE TABLE users (
    id                 uuid    PRIMARY KEY,
    kind               text    NOT NULL CHECK (kind IN ('agent', 'human')),
    username           text    NOT NULL CHECK (username ~ '^[A-Za-z0-9]([A-Za-z0-9-]{0,28}[A-Za-z0-9])?$'),
    name               text    NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    bio                text    NOT NULL DEFAULT '' CHECK (char_length(bio) <= 2000),
    wallet             address NOT NULL,
    verification_code  text    NOT NULL UNIQUE,
    code_expires_at    instant NOT NULL,
    social_network     text,
    social_handle      text,
    social_account_id  text,
    social_post_id     text,
    verified_at        instant,
    created_at         instant NOT NULL DEFAULT now(),
    updated_at         instant NOT NULL DEFAULT now(),
    -- Totals of the reviews about the user, updated by the trigger reviews_count.
    reviews            integer NOT NULL DEFAULT 0 CHECK (reviews >= 0), -- number of all reviews
    ratings            integer NOT NULL DEFAULT 0 CHECK (ratings >= 0), -- number of reviews that count
    stars              bigint  NOT NULL DEFAULT 0,
    -- Another account could copy a post with a code that is valid for any account, so a code can be
    -- limited to one account (code_account, as handle@network). A link that was created with an
    -- unlimited code stores this code (linked_code) and the time of its post (social_posted_at). If an
    -- older post contains the same code, its account can replace the link.
    code_account       text    CHECK (length(code_account) BETWEEN 3 AND 300),
    linked_code        text,
    social_posted_at   instant,
    -- An agent can change its username once. The former username stays reserved, so that no other user
    -- can impersonate the agent with it.
    former_username    text,
    account_state      text    NOT NULL DEFAULT 'good', -- follows from the decision in force, measure_id
    measure_id         uuid,
    UNIQUE (id, kind),
    CONSTRAINT users_check CHECK ((verified_at IS NULL) = (social_network IS NULL)
        AND (verified_at IS NULL) = (social_handle IS NULL)
        AND (verified_at IS NULL) = (social_account_id IS NULL)
        AND (verified_at IS NULL) = (social_post_id IS NULL)),
    CONSTRAINT users_check1 CHECK (stars BETWEEN ratings AND 5 * ratings),
    CONSTRAINT users_check2 CHECK (ratings <= reviews),
    CONSTRAINT users_posted_check CHECK ((social_posted_at IS NULL) = (verified_at IS NULL)),
    CONSTRAINT users_linked_code_check CHECK (linked_code IS NULL OR verified_at IS NOT NULL),
    CONSTRAINT users_former_username_check CHECK (former_username IS NULL OR kind = 'agent'),
    CONSTRAINT users_account_state_check CHECK (
        account_state IN ('good', 'hidden', 'limited', 'suspended') AND (account_state = 'good') = (measure_id IS NULL))
);
CREATE UNIQUE INDEX users_username_idx ON users (lower(username) COLLATE "C");
CREATE UNIQUE INDEX users_wallet_idx ON users (kind, wallet);
-- A social account or a post can be linked to at most one user of each kind.
CREATE UNIQUE INDEX users_social_account_idx ON users (kind, social_network, social_account_id);
CREATE UNIQUE INDEX users_social_post_idx ON users (social_network, social_post_id);
CREATE UNIQUE INDEX users_former_username_idx ON users (lower(former_username) COLLATE "C");

-- The trigger runs AFTER, not BEFORE, the change. By then, the unique index on username has waited
-- for a concurrent transaction that releases the name, and the query reads the committed result.
-- +goose StatementBegin
CREATE FUNCTION check_former_usernames() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM users
               WHERE lower(former_username) COLLATE "C" = lower(NEW.username) COLLATE "C" AND id <> NEW.id) THEN
        RAISE unique_violation USING CONSTRAINT = 'users_username_idx', MESSAGE = 'the username is reserved for its former user';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_former_usernames AFTER INSERT OR UPDATE OF username ON users
    FOR EACH ROW EXECUTE FUNCTION check_former_usernames();

CREATE TABLE agents (
    id               uuid    PRIMARY KEY,
    kind             text    NOT NULL DEFAULT 'agent' CHECK (kind = 'agent'),
    key_hash         hash32  NOT NULL UNIQUE, -- SHA-256 of the API key
    key_prefix       text    NOT NULL,
    key_rotated_at   instant,
    -- Time of the last recovery with the wallet. It delays only further recoveries, because a thief who
    -- rotates a stolen key must not be able to delay the owner's recovery.
    key_recovered_at instant,
    FOREIGN KEY (id, kind) REFERENCES users (id, kind)
);

CREATE TABLE humans (
    id          uuid         PRIMARY KEY,
    kind        text         NOT NULL DEFAULT 'human' CHECK (kind = 'human'),
    skills      text[]       NOT NULL DEFAULT '{}' CHECK (cardinality(skills) <= 10),
    location    text         CHECK (char_length(location) <= 100),
    remote      boolean      NOT NULL DEFAULT true,
    hourly_rate wei,
    available   boolean      NOT NULL DEFAULT false,
    -- Copies for searching. They are all in one table so that one index can support each filter.
    place       text         COLLATE "C" CHECK (char_length(place) <= 2000), -- the location without case and accents
    search      tsvector     NOT NULL DEFAULT '',
    verified    boolean      NOT NULL DEFAULT false,
    rating      numeric(3,2) CHECK (rating BETWEEN 1 AND 5),
    listed      boolean      NOT NULL DEFAULT true, -- false if the profile is hidden, limited or suspended
    adult_at    timestamptz(3) CHECK (isfinite(adult_at)), -- time of the declaration to be 18 or older
    CONSTRAINT humans_check CHECK (place IS NULL OR location IS NOT NULL),
    FOREIGN KEY (id, kind) REFERENCES users (id, kind)
);
CREATE INDEX humans_available_idx ON humans (id) WHERE available;
CREATE INDEX humans_skills_idx ON humans USING gin (skills) WHERE available;
CREATE INDEX humans_search_idx ON humans USING gin (search) WHERE available;
CREATE INDEX humans_place_idx ON humans (place, id) WHERE available;
CREATE INDEX humans_rating_idx ON humans (rating, id) WHERE available;
-- Not only the rows with the value true: a search for false can be selective as well.
CREATE INDEX humans_verified_idx ON humans (verified, id) WHERE available;
CREATE INDEX humans_remote_idx ON humans (remote, id) WHERE available;

-- +goose StatementBegin
CREATE FUNCTION describe_human() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    u users;
BEGIN
    SELECT * INTO u FROM users WHERE id = new.id;
    new.search := to_tsvector('simple', u.name || ' ' || u.bio || ' ' || array_to_string(new.skills, ' '));
    new.verified := u.verified_at IS NOT NULL;
    new.rating := round(u.stars::numeric / nullif(u.ratings, 0), 2);
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER humans_describe BEFORE INSERT OR UPDATE ON humans FOR EACH ROW EXECUTE FUNCTION describe_human();

-- If a row in users changes, this trigger updates the corresponding row in humans, whose trigger then
-- updates the search columns.
-- +goose StatementBegin
CREATE FUNCTION touch_human() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE humans SET id = id WHERE id = new.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_touch_human AFTER UPDATE OF name, bio, verified_at, ratings, stars ON users
    FOR EACH ROW WHEN (new.kind = 'human') EXECUTE FUNCTION touch_human();

-- Returns a text that is equal for usernames that look alike, like market.UsernameSkeleton.
CREATE FUNCTION username_skeleton(username text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT regexp_replace(replace(replace(translate(lower(username COLLATE "C"), '01i', 'oll'), 'm', 'rn'), 'w', 'vv'), '-+', '-', 'g')
$$;

-- One row for each skeleton that a user has or has released, so that no two users have names that look
-- alike. released_at is null while the name is in use, and for an agent's former name, which is reserved
-- forever.
CREATE TABLE usernames (
    skeleton    text    COLLATE "C" PRIMARY KEY CHECK (char_length(skeleton) BETWEEN 1 AND 60),
    user_id     uuid    NOT NULL REFERENCES users (id),
    released_at instant
);
CREATE INDEX usernames_user_id_idx ON usernames (user_id);
-- For deleting names that are no longer reserved.
CREATE INDEX usernames_released_idx ON usernames (released_at) WHERE released_at IS NOT NULL;

-- Records a new username, and releases the former one of a human for 90 days (market.UsernameReserve). The
-- insertion waits for concurrent transactions that take the same skeleton. A change that keeps the skeleton
-- needs no row.
-- +goose StatementBegin
CREATE FUNCTION keep_usernames() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF username_skeleton(NEW.username) = username_skeleton(OLD.username) THEN
            RETURN NULL;
        END IF;
        INSERT INTO usernames AS n (skeleton, user_id, released_at)
        VALUES (username_skeleton(OLD.username), NEW.id, CASE WHEN NEW.kind = 'human' THEN now() END)
        ON CONFLICT (skeleton) DO UPDATE SET released_at = excluded.released_at WHERE n.user_id = NEW.id;
    END IF;
    INSERT INTO usernames AS n (skeleton, user_id) VALUES (username_skeleton(NEW.username), NEW.id)
    ON CONFLICT (skeleton) DO UPDATE SET user_id = NEW.id, released_at = NULL
    WHERE n.user_id = NEW.id OR n.released_at <= now() - interval '90 days';
    IF NOT FOUND THEN
        RAISE unique_violation USING CONSTRAINT = 'users_username_idx', MESSAGE = 'the username looks like that of another user';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_keep_usernames AFTER INSERT OR UPDATE OF username ON users
    FOR EACH ROW EXECUTE FUNCTION keep_usernames();

-- Hashes of the texts that wallets are asked to sign. Each text can be used once.
CREATE TABLE challenges (
    hash       hash32   PRIMARY KEY, -- SHA-256 of the text
    purpose    text     NOT NULL CHECK (purpose IN ('register', 'recover', 'login', 'erase')),
    wallet     address  NOT NULL,
    profile    hash32,               -- hash of the registration body that the text is bound to
    created_at instant  NOT NULL DEFAULT now(),
    expires_at instant  NOT NULL,
    -- Signatures of contract wallets are checked by a node. The number of checks per challenge is limited,
    -- because a challenge is issued to anonymous clients.
    checks     smallint NOT NULL DEFAULT 0 CHECK (checks BETWEEN 0 AND 3)
);
CREATE INDEX challenges_expires_at_idx ON challenges (expires_at);

-- A human can list the sessions, so each has its last use, the network of that use, and the browser of
-- the sign-in.
CREATE TABLE sessions (
    id_hash      hash32  PRIMARY KEY, -- SHA-256 of the token's jti
    human_id     uuid    NOT NULL REFERENCES humans (id),
    created_at   instant NOT NULL DEFAULT now(),
    expires_at   instant NOT NULL,
    last_used_at timestamptz(3) CHECK (isfinite(last_used_at)),
    network      cidr    CHECK (masklen(network) = CASE family(network) WHEN 4 THEN 24 ELSE 48 END),
    browser      text    CHECK (browser IN ('chrome', 'edge', 'firefox', 'opera', 'safari', 'other')),
    system       text    CHECK (system IN ('android', 'ios', 'linux', 'macos', 'windows', 'other'))
);
CREATE INDEX sessions_human_id_idx ON sessions (human_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- Returns the state in which an account can act: a limit or a suspension of one account of a wallet, agent or human,
-- also restricts the other one. A single expression, which PostgreSQL inserts into the statement.
CREATE FUNCTION wallet_state(own text, other text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN 'suspended' IN (own, other) THEN 'suspended' WHEN 'limited' IN (own, other) THEN 'limited' ELSE own END
$$;

-- Returns the wallet_state of the account, or NULL if the credential is no longer the account's. The lock makes an
-- erasure and a measure on an account of the wallet wait until the transaction ends. If one of them holds the lock,
-- the second statement sees its changes, because each statement of the function has a snapshot of its own.
-- +goose StatementBegin
CREATE FUNCTION caller_state(account uuid, kind text, credential bytea) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM users w
    WHERE w.kind IN ('agent', 'human') AND w.wallet = (SELECT u.wallet FROM users u WHERE u.id = account)
    ORDER BY w.id
    FOR KEY SHARE;
    IF kind = 'agent' THEN
        RETURN (SELECT wallet_state(u.account_state, o.account_state)
                FROM users u JOIN agents a ON a.id = u.id LEFT JOIN users o ON o.wallet = u.wallet AND o.kind = 'human'
                WHERE u.id = account AND a.key_hash = credential);
    END IF;
    RETURN (SELECT wallet_state(u.account_state, o.account_state)
            FROM users u JOIN sessions s ON s.human_id = u.id LEFT JOIN users o ON o.wallet = u.wallet AND o.kind = 'agent'
            WHERE u.id = account AND s.id_hash = credential);
END $$;
-- +goose StatementEnd

-- 3. Chain -----------------------------------------------------------------------------------------

-- The cursor for each chain, and the lease of the watcher that advances it. hash, parent and time are NULL
-- until the first block is followed.
CREATE TABLE chain_head (
    chain_id    bigint  PRIMARY KEY,
    number      bigint  NOT NULL CHECK (number >= -1),
    hash        hash32,
    parent      hash32,
    time        instant,
    safe        bigint  NOT NULL DEFAULT 0,
    finalized   bigint  NOT NULL DEFAULT 0,
    holder      text    NOT NULL DEFAULT '',
    epoch       bigint  NOT NULL DEFAULT 0,
    lease_until instant,
    CONSTRAINT chain_head_check CHECK ((hash IS NULL) = (time IS NULL) AND (hash IS NULL) = (parent IS NULL))
);

CREATE TABLE chain_blocks (
    chain_id  bigint  NOT NULL REFERENCES chain_head (chain_id),
    hash      hash32  NOT NULL,
    number    bigint  NOT NULL,
    parent    hash32  NOT NULL,
    time      instant NOT NULL,
    canonical boolean NOT NULL DEFAULT true,
    PRIMARY KEY (chain_id, hash)
);
CREATE UNIQUE INDEX chain_blocks_canonical_idx ON chain_blocks (chain_id, number) WHERE canonical;

-- Append-only. Logs that a reorganisation dropped stay in the table with canonical = false. There
-- is no foreign key to chain_blocks, because it would require a look-up for each log. A step
-- inserts its logs and their blocks in one transaction, and blocks are never deleted.
CREATE TABLE chain_logs (
    chain_id       bigint   NOT NULL,
    block_hash     hash32   NOT NULL,
    log_index      integer  NOT NULL CHECK (log_index >= 0),
    block_number   bigint   NOT NULL,
    block_time     instant  NOT NULL,
    tx_hash        hash32   NOT NULL,
    tx_index       integer  NOT NULL,
    address        address  NOT NULL,
    topics         bytea[]  NOT NULL,
    data           bytea    NOT NULL,
    kind           text     NOT NULL,
    task_id        bigint   CHECK (task_id > 0),
    application_id bigint   CHECK (application_id > 0),
    event          jsonb    NOT NULL,
    canonical      boolean  NOT NULL DEFAULT true,
    PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX chain_logs_task_idx ON chain_logs (chain_id, address, task_id, block_number, log_index)
    WHERE canonical AND task_id IS NOT NULL;
CREATE INDEX chain_logs_application_idx ON chain_logs (chain_id, address, application_id, block_number, log_index)
    WHERE canonical AND application_id IS NOT NULL;
CREATE INDEX chain_logs_parameters_idx ON chain_logs (chain_id, address, block_number, log_index)
    WHERE canonical AND kind IN ('FeeChanged', 'ValidatorAdded', 'ValidatorRemoved', 'QuorumChanged', 'Paused', 'Unpaused');
CREATE INDEX chain_logs_reward_idx ON chain_logs (chain_id, (event->>'agent')) WHERE canonical AND kind = 'Claimed';

-- One row for each task id in the escrow, with the fields of market.EscrowTask, folded from the
-- escrow's logs. The statuses are those of the contract: 1 posted, 2 active, 3 submitted, 4 disputed,
-- 5 released, 6 refunded, 7 cancelled.
CREATE TABLE onchain_tasks (
    chain_id         bigint   NOT NULL,
    escrow           address  NOT NULL,
    id               bigint   NOT NULL CHECK (id > 0),
    status           smallint NOT NULL CHECK (status BETWEEN 1 AND 7),
    agent            address  NOT NULL,
    human            address,
    amount           wei      NOT NULL CHECK (amount > 0),
    fee_basis_points integer  NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 2000),
    terms_hash       hash32,
    work_hash        hash32,
    application_id   bigint,
    panel            bigint,
    agent_approved   boolean  NOT NULL DEFAULT false,
    disputed_by      address,
    posted_at        instant  NOT NULL,
    accepted_at      instant,
    submitted_at     instant,
    disputed_at      instant,
    approved_at      instant,
    last_activity_at instant,
    ended_at         instant,
    settle_at        instant,
    verdict          boolean,
    paid             wei,
    fee              wei,
    refund           wei,
    posted_tx        hash32   NOT NULL,
    posted_ordinal   integer  NOT NULL CHECK (posted_ordinal >= 0),
    posted_block     bigint   NOT NULL,
    posted_index     integer  NOT NULL,
    accept_tx        hash32,
    submit_tx        hash32,
    end_tx           hash32,
    -- The party that cancelled. The contract's event does not contain the caller, so it is taken from
    -- the sender of the transaction. It is NULL if the sender is not a party to the task, for example a
    -- relayer.
    cancelled_by     address,
    PRIMARY KEY (chain_id, escrow, id),
    -- When a task ends, the payout, the fee and the refund must add up to the amount.
    CONSTRAINT onchain_tasks_check CHECK (status NOT IN (5) OR (paid + fee = amount AND refund IS NULL)),
    CONSTRAINT onchain_tasks_check1 CHECK (status NOT IN (6, 7) OR (refund = amount AND paid IS NULL AND fee IS NULL)),
    CONSTRAINT onchain_tasks_check2 CHECK ((status >= 5) = (ended_at IS NOT NULL) AND (status >= 5) = (end_tx IS NOT NULL)),
    CONSTRAINT onchain_tasks_check3 CHECK (status NOT IN (2, 3, 4, 5, 6) OR (human IS NOT NULL AND human <> agent)),
    CONSTRAINT onchain_tasks_check4 CHECK (status NOT IN (3, 4, 5, 6) OR submitted_at IS NOT NULL),
    CONSTRAINT onchain_tasks_check5 CHECK (status <> 7 OR submitted_at IS NULL),
    CONSTRAINT onchain_tasks_check6 CHECK (cancelled_by IS NULL
        OR status = 7 AND (cancelled_by = agent OR cancelled_by = human AND accepted_at IS NOT NULL))
);
CREATE UNIQUE INDEX onchain_tasks_posting_idx ON onchain_tasks (chain_id, escrow, posted_tx, posted_ordinal);
CREATE INDEX onchain_tasks_terms_idx ON onchain_tasks (chain_id, escrow, terms_hash, posted_block, posted_index)
    WHERE terms_hash IS NOT NULL;
CREATE INDEX onchain_tasks_agent_idx ON onchain_tasks (chain_id, escrow, agent, id);
CREATE INDEX onchain_tasks_human_idx ON onchain_tasks (chain_id, escrow, human) WHERE human IS NOT NULL;
-- For postings without an accepted human, including those that are not linked to a task.
CREATE INDEX onchain_tasks_posted_idx ON onchain_tasks (agent) WHERE status = 1;
-- For the tasks in an escrow that are due for settlement, oldest first.
CREATE INDEX onchain_tasks_settle_at_idx ON onchain_tasks (chain_id, escrow, settle_at) WHERE status IN (3, 4);
-- For the audit, which reads all records that have not ended.
CREATE INDEX onchain_tasks_live_idx ON onchain_tasks (chain_id, escrow, id) WHERE status < 5;

-- One row for each application id in the staking contract, with the fields of market.Stake, folded
-- from the contract's logs.
CREATE TABLE onchain_applications (
    chain_id       bigint  NOT NULL,
    escrow         address NOT NULL, -- the escrow of the staking contract's deployment
    id             bigint  NOT NULL CHECK (id > 0),
    task_id        bigint  NOT NULL,
    human          address NOT NULL,
    agent          address NOT NULL,
    amount         wei     NOT NULL,
    expires_at     instant NOT NULL,
    status         text    NOT NULL CHECK (status IN ('live', 'activated', 'returned', 'forfeited')),
    accepted       boolean NOT NULL DEFAULT false,
    rejected       boolean NOT NULL DEFAULT false,
    withdrawn      boolean NOT NULL DEFAULT false,
    locked_at      instant NOT NULL,
    ended_at       instant,
    locked_tx      hash32  NOT NULL,
    locked_ordinal integer NOT NULL CHECK (locked_ordinal >= 0),
    locked_block   bigint  NOT NULL,
    locked_index   integer NOT NULL,
    PRIMARY KEY (chain_id, escrow, id),
    CONSTRAINT onchain_applications_check CHECK (agent <> human),
    CONSTRAINT onchain_applications_check1 CHECK ((status IN ('returned', 'forfeited')) = (ended_at IS NOT NULL)),
    CONSTRAINT onchain_applications_check2 CHECK (NOT (accepted AND (rejected OR withdrawn)) AND NOT (rejected AND withdrawn))
);
CREATE UNIQUE INDEX onchain_applications_locking_idx
    ON onchain_applications (chain_id, escrow, locked_tx, locked_ordinal);
CREATE INDEX onchain_applications_task_idx ON onchain_applications (chain_id, escrow, task_id, human);
CREATE INDEX onchain_applications_human_idx ON onchain_applications (chain_id, escrow, human);
-- For the audit, which reads all records that have not ended.
CREATE INDEX onchain_applications_live_idx ON onchain_applications (chain_id, escrow, id)
    WHERE status IN ('live', 'activated');
-- For counting the stakes that an agent rejected.
CREATE INDEX onchain_applications_rejected_idx
    ON onchain_applications (chain_id, agent, escrow, task_id) INCLUDE (ended_at) WHERE rejected;

-- The fields of market.Parameters, folded from the escrow's administration logs. The arrays are copies of
-- the escrow's rows in chain_quorums, in the order of from_panel, so that a read of a task finds its panel
-- without a search in another table: the position is width_bucket(panel, from_panels).
CREATE TABLE chain_parameters (
    chain_id         bigint     NOT NULL,
    escrow           address    NOT NULL,
    fee_basis_points integer    NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 2000),
    panel            bigint     NOT NULL,
    paused           boolean    NOT NULL,
    from_panels      bigint[]   NOT NULL DEFAULT '{}',
    quorums          smallint[] NOT NULL DEFAULT '{}',
    panel_sizes      smallint[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (chain_id, escrow),
    CONSTRAINT chain_parameters_panels_check CHECK (
        cardinality(from_panels) = cardinality(quorums) AND cardinality(from_panels) = cardinality(panel_sizes))
);
CREATE TABLE chain_validators (
    chain_id   bigint  NOT NULL,
    escrow     address NOT NULL,
    wallet     address NOT NULL,
    added_in   bigint  NOT NULL,
    removed_in bigint,
    PRIMARY KEY (chain_id, escrow, wallet),
    CONSTRAINT chain_validators_check CHECK (removed_in > added_in)
);
-- One row for each panel with another quorum or other validators than the previous one.
CREATE TABLE chain_quorums (
    chain_id   bigint   NOT NULL,
    escrow     address  NOT NULL,
    from_panel bigint   NOT NULL,
    quorum     smallint NOT NULL CHECK (quorum BETWEEN 1 AND 32),
    validators smallint CHECK (validators BETWEEN 0 AND 32), -- their number from this panel on
    PRIMARY KEY (chain_id, escrow, from_panel)
);

-- Copies the rows of an escrow. It counts the validators of rows without their number.
CREATE FUNCTION copy_quorums(chain bigint, contract address) RETURNS void LANGUAGE sql AS $$
    UPDATE chain_parameters p
    SET (from_panels, quorums, panel_sizes) = (
        SELECT coalesce(array_agg(q.from_panel ORDER BY q.from_panel), '{}'),
               coalesce(array_agg(q.quorum ORDER BY q.from_panel), '{}'),
               coalesce(array_agg(coalesce(q.validators, (
                   SELECT count(*)
                   FROM chain_validators v
                   WHERE v.chain_id = q.chain_id AND v.escrow = q.escrow AND v.added_in <= q.from_panel
                     AND (v.removed_in IS NULL OR v.removed_in > q.from_panel)))::smallint ORDER BY q.from_panel), '{}')
        FROM chain_quorums q
        WHERE q.chain_id = p.chain_id AND q.escrow = p.escrow)
    WHERE p.chain_id = chain AND p.escrow = contract
$$;
-- +goose StatementBegin
CREATE FUNCTION copy_changed_quorums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM copy_quorums(old.chain_id, old.escrow);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM copy_quorums(new.chain_id, new.escrow);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER chain_quorums_copied AFTER INSERT OR UPDATE OR DELETE ON chain_quorums
    FOR EACH ROW EXECUTE FUNCTION copy_changed_quorums();

-- Followed blocks that must be read again, because a receipt or a contract's state shows that logs
-- are missing.
CREATE TABLE chain_rereads (
    chain_id     bigint  NOT NULL,
    number       bigint  NOT NULL CHECK (number > 0),
    reason       text    NOT NULL CHECK (reason IN ('confirmation', 'audit')),
    requested_at instant NOT NULL DEFAULT now(),
    PRIMARY KEY (chain_id, number)
);

-- Records whose on-chain state differed from the database in the last comparison. A comparison
-- without a difference deletes the finding.
CREATE TABLE chain_findings (
    chain_id     bigint  NOT NULL,
    escrow       address NOT NULL,
    kind         text    NOT NULL CHECK (kind IN ('task', 'application')),
    id           bigint  NOT NULL CHECK (id > 0),
    block_number bigint  NOT NULL,
    difference   text    NOT NULL CHECK (difference <> ''),
    found_at     instant NOT NULL DEFAULT now(),
    PRIMARY KEY (chain_id, escrow, kind, id)
);

-- 4. Tasks -----------------------------------------------------------------------------------------

-- No row trigger before updates: with one, PostgreSQL computes the column search again at every update of
-- a task, even if the title and the description did not change.
CREATE TABLE tasks (
    id               uuid     PRIMARY KEY,
    agent_id         uuid     NOT NULL REFERENCES agents (id),
    title            text     NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    description      text     NOT NULL CHECK (char_length(description) BETWEEN 1 AND 20000),
    skills           text[]   NOT NULL DEFAULT '{}' CHECK (cardinality(skills) <= 10),
    location         text     CHECK (char_length(location) <= 100),
    remote           boolean  NOT NULL DEFAULT true,
    amount           wei      NOT NULL CHECK (amount >= 10000000000000000),
    fee_basis_points integer  NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 2000),
    deadline         instant,
    terms_hash       hash32   NOT NULL UNIQUE,
    chain_id         bigint   NOT NULL,
    escrow           address  NOT NULL,
    -- A posting without a terms hash that the agent specified in confirm-create. A reorganisation
    -- does not delete it, because a later block can contain it again.
    claimed_tx       hash32,
    claimed_ordinal  integer,
    -- The columns up to changed_block are derived from the logs and from chain time.
    status           text     NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'funded', 'active', 'submitted',
                              'validating', 'disputed', 'approved', 'rejected', 'cancelled', 'expired')),
    escrow_task_id   bigint,
    human_id         uuid     REFERENCES humans (id),
    turns_at         instant,  -- time at which the status changes, or changed, without an action
    changed_block    bigint   NOT NULL DEFAULT 0, -- block of the last folded log
    created_at       instant  NOT NULL DEFAULT now(),
    updated_at       instant  NOT NULL DEFAULT now(),
    search           tsvector NOT NULL GENERATED ALWAYS AS (
                         setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', description), 'B')) STORED,
    place            text     COLLATE "C" CHECK (char_length(place) <= 2000), -- the location without case and accents
    lapsed_at        timestamptz, -- when a task that was never funded left the lists
    -- The visibility follows from the decision in force, measure_id, or from a rule that holds the task.
    visibility       text     NOT NULL DEFAULT 'shown',
    measure_id       uuid,
    hold_rule        text,
    hold_due_at      timestamptz(3) CHECK (isfinite(hold_due_at)),
    erased_at        timestamptz, -- when the text of a task that was never funded was erased
    CONSTRAINT tasks_check CHECK ((claimed_tx IS NULL) = (claimed_ordinal IS NULL)),
    CONSTRAINT tasks_check1 CHECK ((status = 'new') = (escrow_task_id IS NULL)),
    CONSTRAINT tasks_check2 CHECK (human_id IS NULL OR status NOT IN ('new', 'funded')),
    CONSTRAINT tasks_check3 CHECK (place IS NULL OR location IS NOT NULL),
    -- A late posting still funds a lapsed task, which returns to the lists.
    CONSTRAINT tasks_lapsed_check CHECK (lapsed_at IS NULL OR status = 'new'),
    CONSTRAINT tasks_visibility_check CHECK (
        visibility IN ('shown', 'held', 'hidden', 'removed')
        AND (visibility IN ('hidden', 'removed')) = (measure_id IS NOT NULL)
        AND (visibility = 'held') = (hold_due_at IS NOT NULL)
        AND (hold_due_at IS NULL OR hold_rule IS NOT NULL)
        AND char_length(hold_rule) BETWEEN 1 AND 100),
    -- No human can see what to do in a funded task whose text was erased.
    CONSTRAINT tasks_erased_check CHECK (erased_at IS NULL OR status <> 'funded' OR visibility <> 'shown'),
    -- Deferred until the commit, because one step can delete an on-chain task and unlink it from
    -- its task.
    FOREIGN KEY (chain_id, escrow, escrow_task_id) REFERENCES onchain_tasks (chain_id, escrow, id)
        DEFERRABLE INITIALLY DEFERRED
);
-- For the lists of an agent and of a human, and for the number of tasks that a human completed.
CREATE INDEX tasks_agent_id_idx ON tasks (agent_id, created_at DESC, id DESC);
CREATE INDEX tasks_agent_status_idx ON tasks (agent_id, status, created_at DESC, id DESC);
CREATE INDEX tasks_agent_amount_idx ON tasks (agent_id, amount DESC, id DESC);
CREATE INDEX tasks_agent_deadline_idx ON tasks (agent_id, coalesce(deadline, 'infinity'::timestamptz), id);
CREATE INDEX tasks_human_id_idx ON tasks (human_id, created_at DESC, id DESC) WHERE human_id IS NOT NULL;
CREATE INDEX tasks_completed_idx ON tasks (human_id) WHERE status = 'approved';
-- For the board. Tasks without a deadline are sorted last.
CREATE INDEX tasks_board_newest_idx ON tasks (created_at DESC, id DESC) WHERE status = 'funded' AND visibility = 'shown';
CREATE INDEX tasks_board_amount_idx ON tasks (amount DESC, id DESC) WHERE status = 'funded' AND visibility = 'shown';
CREATE INDEX tasks_board_deadline_idx ON tasks (coalesce(deadline, 'infinity'::timestamptz), id) WHERE status = 'funded' AND visibility = 'shown';
CREATE INDEX tasks_board_place_idx ON tasks (place, created_at DESC, id DESC) WHERE status = 'funded' AND visibility = 'shown';
CREATE INDEX tasks_board_remote_idx ON tasks (remote, created_at DESC, id DESC) WHERE status = 'funded' AND visibility = 'shown';
CREATE INDEX tasks_board_skills_idx ON tasks USING gin (skills) WHERE status = 'funded' AND visibility = 'shown';
CREATE INDEX tasks_board_search_idx ON tasks USING gin (search) WHERE status = 'funded' AND visibility = 'shown';
-- For the tasks whose status changes with chain time, or changes back when a reorganisation turns it back.
CREATE INDEX tasks_turns_forward_idx ON tasks (chain_id, turns_at) WHERE status IN ('funded', 'active', 'submitted');
CREATE INDEX tasks_turns_back_idx ON tasks (chain_id, turns_at) WHERE status IN ('expired', 'validating');
-- For the unfunded tasks that are due to leave the lists.
CREATE INDEX tasks_unfunded_idx ON tasks (updated_at) WHERE status = 'new' AND lapsed_at IS NULL;
-- For the moderators' queue, and for the end of a suspension.
CREATE INDEX tasks_held_idx ON tasks (hold_due_at) WHERE visibility = 'held';
CREATE INDEX tasks_measure_id_idx ON tasks (measure_id) WHERE measure_id IS NOT NULL;
-- The most selective column is first: without statistics, the planner would use only the chain and the
-- escrow contract, and read all tasks for each block. Tasks without a posting or a claimed transaction have
-- no entry, so that most writes of a task have one index less to maintain.
CREATE UNIQUE INDEX tasks_claimed_idx ON tasks (claimed_tx, claimed_ordinal, chain_id, escrow) WHERE claimed_tx IS NOT NULL;
CREATE UNIQUE INDEX tasks_posting_idx ON tasks (escrow_task_id, chain_id, escrow) WHERE escrow_task_id IS NOT NULL;

-- 5. Applications and work -------------------------------------------------------------------------

CREATE TABLE applications (
    id                     uuid    PRIMARY KEY,
    task_id                uuid    NOT NULL REFERENCES tasks (id),
    human_id               uuid    NOT NULL REFERENCES humans (id),
    message                text    NOT NULL DEFAULT '' CHECK (char_length(message) <= 2000),
    stake_amount           wei     NOT NULL,
    decision               text    CHECK (decision IN ('rejected', 'withdrawn')), -- decision recorded without a stake
    -- The stake that was linked most recently. A reorganisation does not delete it, as for
    -- claimed_tx.
    stake_tx               hash32,
    stake_ordinal          integer,
    -- The columns up to turns_at are derived from the logs and from chain time.
    status                 text    NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'pending', 'accepted',
                                   'rejected', 'withdrawn', 'expired', 'released')),
    onchain_application_id bigint,
    chain_id               bigint  NOT NULL,
    escrow                 address NOT NULL,
    turns_at               instant,
    created_at             instant NOT NULL DEFAULT now(),
    -- The agent's reason for rejecting an application. It is stored before the rejection is on the
    -- chain and is visible only to the agent until then.
    rejection_reason       text    CHECK (char_length(rejection_reason) BETWEEN 1 AND 2000),
    CONSTRAINT applications_check CHECK ((stake_tx IS NULL) = (stake_ordinal IS NULL)),
    CONSTRAINT applications_check1 CHECK (status NOT IN ('pending', 'accepted', 'expired') OR onchain_application_id IS NOT NULL),
    FOREIGN KEY (chain_id, escrow, onchain_application_id) REFERENCES onchain_applications (chain_id, escrow, id)
        DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX applications_onchain_idx ON applications (chain_id, escrow, onchain_application_id);
CREATE UNIQUE INDEX applications_stake_tx_idx ON applications (chain_id, escrow, stake_tx, stake_ordinal);
CREATE UNIQUE INDEX applications_live_idx ON applications (task_id, human_id) WHERE status IN ('new', 'pending', 'accepted');
CREATE UNIQUE INDEX applications_accepted_idx ON applications (task_id) WHERE status = 'accepted';
CREATE INDEX applications_task_id_idx ON applications (task_id, created_at DESC, id DESC);
CREATE INDEX applications_human_id_idx ON applications (human_id, created_at DESC, id DESC);
CREATE INDEX applications_turns_forward_idx ON applications (chain_id, turns_at) WHERE status = 'pending';
CREATE INDEX applications_turns_back_idx ON applications (chain_id, turns_at) WHERE status = 'expired';

CREATE TABLE files (
    id            uuid    PRIMARY KEY,
    task_id       uuid    NOT NULL REFERENCES tasks (id),
    filename      text    NOT NULL CHECK (char_length(filename) BETWEEN 1 AND 200),
    content_type  text    NOT NULL CHECK (char_length(content_type) <= 200),
    size          bigint  NOT NULL CHECK (size BETWEEN 0 AND 26214400),
    sha256        hash32  NOT NULL,
    uploader_id   uuid    NOT NULL,
    uploader_kind text    NOT NULL,
    created_at    instant NOT NULL DEFAULT now(),
    visibility    text    NOT NULL DEFAULT 'shown',
    measure_id    uuid,
    CONSTRAINT files_visibility_check CHECK (
        visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)),
    FOREIGN KEY (uploader_id, uploader_kind) REFERENCES users (id, kind)
);
CREATE INDEX files_task_id_idx ON files (task_id, created_at, id);
-- For the limit of the bytes that an account uploads in a day.
CREATE INDEX files_uploader_id_idx ON files (uploader_id, created_at) INCLUDE (size);

-- Drafts of work. The draft whose hash is on the chain is the submission.
CREATE TABLE submissions (
    id         uuid    PRIMARY KEY,
    task_id    uuid    NOT NULL REFERENCES tasks (id),
    human_id   uuid    NOT NULL REFERENCES humans (id),
    note       text    NOT NULL CHECK (char_length(note) <= 10000),
    proof_url  text    CHECK (char_length(proof_url) BETWEEN 1 AND 2000),
    work_hash  hash32  NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    UNIQUE (task_id, work_hash)
);
-- Here and below: for the records that an account wrote, which are exported and erased together.
CREATE INDEX submissions_human_id_idx ON submissions (human_id, id);

CREATE TABLE submission_files (
    submission_id uuid NOT NULL REFERENCES submissions (id),
    file_id       uuid NOT NULL REFERENCES files (id),
    PRIMARY KEY (submission_id, file_id)
);
CREATE INDEX submission_files_file_id_idx ON submission_files (file_id);

CREATE TABLE disputes (
    id           uuid    PRIMARY KEY,
    task_id      uuid    NOT NULL REFERENCES tasks (id),
    filed_by     text    NOT NULL CHECK (filed_by IN ('agent', 'human')),
    reason       text    NOT NULL CHECK (char_length(reason) <= 4000),
    response     text    NOT NULL DEFAULT '' CHECK (char_length(response) <= 4000),
    responded_at instant,
    created_at   instant NOT NULL DEFAULT now(),
    response_id  uuid,   -- id of the request that stored the response, which recognises a repeated request
    UNIQUE (task_id, filed_by),
    CONSTRAINT disputes_check CHECK ((responded_at IS NULL) = (response = '')),
    CONSTRAINT disputes_response_id_check CHECK ((response_id IS NULL) = (response = ''))
);

CREATE TABLE verdicts (
    id         uuid     PRIMARY KEY,
    task_id    uuid     NOT NULL REFERENCES tasks (id),
    round      smallint NOT NULL CHECK (round IN (0, 1)),
    validator  address  NOT NULL,
    human_id   uuid     NOT NULL REFERENCES humans (id),
    approved   boolean  NOT NULL,
    reason     text     NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 4000),
    work_hash  hash32   NOT NULL,
    signature  bytea    NOT NULL CHECK (octet_length(signature) BETWEEN 65 AND 16384),
    created_at instant  NOT NULL DEFAULT now(),
    UNIQUE (task_id, round, validator)
);
CREATE INDEX verdicts_human_id_idx ON verdicts (human_id, id);

CREATE TABLE reviews (
    id              uuid     PRIMARY KEY,
    task_id         uuid     NOT NULL REFERENCES tasks (id),
    reviewer_id     uuid     NOT NULL,
    reviewer_kind   text     NOT NULL,
    subject_id      uuid     NOT NULL,
    subject_kind    text     NOT NULL,
    rating          smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    comment         text     CHECK (char_length(comment) BETWEEN 1 AND 2000),
    counts          boolean  NOT NULL, -- whether it counts in averages; false for cancelled tasks
    created_at      instant  NOT NULL DEFAULT now(),
    after_rejection boolean  NOT NULL DEFAULT false,
    UNIQUE (task_id, reviewer_id),
    CONSTRAINT reviews_check CHECK (reviewer_kind <> subject_kind),
    -- A human whose stake was forfeited by a rejection can review the agent. Such a review never counts in
    -- averages.
    CONSTRAINT reviews_after_rejection_check CHECK (NOT after_rejection OR (reviewer_kind = 'human' AND NOT counts)),
    FOREIGN KEY (reviewer_id, reviewer_kind) REFERENCES users (id, kind),
    FOREIGN KEY (subject_id, subject_kind) REFERENCES users (id, kind)
);
CREATE INDEX reviews_subject_id_idx ON reviews (subject_id, created_at DESC, id DESC);
CREATE INDEX reviews_reviewer_id_idx ON reviews (reviewer_id, id);

-- +goose StatementBegin
CREATE FUNCTION count_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE users
    SET reviews = reviews + 1,
        ratings = ratings + CASE WHEN new.counts THEN 1 ELSE 0 END,
        stars = stars + CASE WHEN new.counts THEN new.rating ELSE 0 END
    WHERE id = new.subject_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER reviews_count AFTER INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION count_review();

-- 6. Messages --------------------------------------------------------------------------------------

CREATE TABLE task_messages (
    id          uuid    PRIMARY KEY,
    task_id     uuid    NOT NULL REFERENCES tasks (id),
    sender_id   uuid    NOT NULL,
    sender_kind text    NOT NULL,
    content     text    NOT NULL CHECK (char_length(content) BETWEEN 1 AND 4000),
    created_at  instant NOT NULL DEFAULT now(),
    read_at     instant,
    visibility  text    NOT NULL DEFAULT 'shown',
    measure_id  uuid,
    CONSTRAINT task_messages_visibility_check CHECK (
        visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)),
    FOREIGN KEY (sender_id, sender_kind) REFERENCES users (id, kind)
);
CREATE INDEX task_messages_task_id_idx ON task_messages (task_id, created_at, id);
CREATE INDEX task_messages_sender_id_idx ON task_messages (sender_id, id);

-- As Membership.Folder in market.
CREATE FUNCTION conversation_folder(requested boolean, blocked boolean) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN blocked THEN 'blocked' WHEN requested THEN 'requests' ELSE 'inbox' END
$$;

-- A conversation exists once for an agent and a human, so the row is also the place of a block between
-- the two accounts. Each member has its own settings. requested: the other member opened the conversation
-- as a stranger, and the member has not accepted it yet.
CREATE TABLE conversations (
    id              uuid    PRIMARY KEY,
    agent_id        uuid    NOT NULL REFERENCES agents (id),
    human_id        uuid    NOT NULL REFERENCES humans (id),
    agent_unread    integer NOT NULL DEFAULT 0 CHECK (agent_unread >= 0),
    human_unread    integer NOT NULL DEFAULT 0 CHECK (human_unread >= 0),
    created_at      instant NOT NULL DEFAULT now(),
    updated_at      instant NOT NULL DEFAULT now(),
    agent_requested boolean NOT NULL DEFAULT false,
    agent_muted     boolean NOT NULL DEFAULT false,
    agent_blocked   boolean NOT NULL DEFAULT false,
    human_requested boolean NOT NULL DEFAULT false,
    human_muted     boolean NOT NULL DEFAULT false,
    human_blocked   boolean NOT NULL DEFAULT false,
    UNIQUE (agent_id, human_id),
    CONSTRAINT conversations_requested_check CHECK (NOT (agent_requested AND human_requested))
);
CREATE INDEX conversations_agent_idx ON conversations (agent_id, updated_at DESC, id DESC);
CREATE INDEX conversations_human_idx ON conversations (human_id, updated_at DESC, id DESC);
CREATE INDEX conversations_agent_folder_idx
    ON conversations (agent_id, conversation_folder(agent_requested, agent_blocked), updated_at DESC, id DESC);
CREATE INDEX conversations_human_folder_idx
    ON conversations (human_id, conversation_folder(human_requested, human_blocked), updated_at DESC, id DESC);
-- For the number of unread messages, which clients request often.
CREATE INDEX conversations_agent_unread_idx ON conversations (agent_id) WHERE agent_unread > 0;
CREATE INDEX conversations_human_unread_idx ON conversations (human_id) WHERE human_unread > 0;

CREATE TABLE direct_messages (
    id              uuid    PRIMARY KEY,
    conversation_id uuid    NOT NULL REFERENCES conversations (id),
    sender_kind     text    NOT NULL CHECK (sender_kind IN ('agent', 'human')),
    content         text    NOT NULL CHECK (char_length(content) BETWEEN 1 AND 4000),
    created_at      instant NOT NULL DEFAULT now(),
    read_at         instant,
    visibility      text    NOT NULL DEFAULT 'shown',
    measure_id      uuid,
    CONSTRAINT direct_messages_visibility_check CHECK (
        visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL))
);
CREATE INDEX direct_messages_conversation_idx ON direct_messages (conversation_id, created_at, id);

-- 7. Activity feed ---------------------------------------------------------------------------------

-- One item for each party and cause. dedupe_key identifies the cause, which is a log (chain, block
-- hash and index), a time (chain, task and kind), or a record. An item stores its kind and parameters; the
-- texts are in market/activity_text.go. actor is the party that disputed or cancelled. reverted_kind is the
-- kind of the item that a reorganisation reverted.
CREATE TABLE activities (
    id            uuid    PRIMARY KEY,
    audience_id   uuid    NOT NULL,
    audience_kind text    NOT NULL,
    type          text    NOT NULL CHECK (type IN ('task', 'application', 'payout', 'dispute', 'review', 'claim', 'message', 'dm')),
    kind          text    NOT NULL,
    actor         text,
    amount        wei,
    tx_hash       hash32,
    related_id    uuid,
    status        text    NOT NULL CHECK (status IN ('pending', 'confirmed', 'reverted')),
    chain_id      bigint,
    block_hash    hash32,
    block_number  bigint,
    dedupe_key    text    NOT NULL,
    created_at    instant NOT NULL DEFAULT now(),
    reverted_kind text,
    UNIQUE (audience_id, dedupe_key),
    CONSTRAINT activities_check CHECK ((block_hash IS NULL) = (block_number IS NULL) AND (block_hash IS NULL) = (chain_id IS NULL)),
    CONSTRAINT activities_check1 CHECK (block_hash IS NOT NULL OR status = 'confirmed'),
    CONSTRAINT activities_reverted_check CHECK ((kind = 'event_reverted') = (reverted_kind IS NOT NULL)),
    CONSTRAINT activities_actor_check CHECK (actor IN ('agent', 'human') AND CASE coalesce(reverted_kind, kind)
        WHEN 'dispute_opened' THEN actor IS NOT NULL
        WHEN 'task_cancelled' THEN true
        ELSE actor IS NULL
    END),
    -- An item's kind must be one for which its receiver has a text.
    CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
        'task_funded', 'posting_unlinked', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
        'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
        'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
        'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
        'claim_failed', 'message_received', 'dm_received',
        'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown')),
    CONSTRAINT activities_human_check CHECK (audience_kind <> 'human' OR coalesce(reverted_kind, kind) IN (
        'work_submitted', 'review_started', 'dispute_opened', 'dispute_answered', 'work_approved',
        'payment_released', 'payment_refunded', 'task_cancelled', 'task_expired', 'stake_locked',
        'application_accepted', 'application_rejected', 'unstaked_application_rejected',
        'application_withdrawn', 'application_expired', 'stake_returned', 'stake_forfeited',
        'review_received', 'message_received', 'dm_received',
        'measure_imposed', 'measure_ended', 'appeal_upheld')),
    FOREIGN KEY (audience_id, audience_kind) REFERENCES users (id, kind)
);
CREATE INDEX activities_audience_idx ON activities (audience_id, created_at DESC, id DESC);
CREATE INDEX activities_audience_type_idx ON activities (audience_id, type, created_at DESC, id DESC);
CREATE INDEX activities_pending_idx ON activities (chain_id, block_number) WHERE status = 'pending';
CREATE INDEX activities_block_hash_idx ON activities (chain_id, block_hash) WHERE block_hash IS NOT NULL;

-- The number of items of each feed and type, because the total of a feed is exact and a feed can be long. The
-- number is the sum over several rows: a transaction adds to a row that no other transaction has locked, or
-- inserts a row. Transactions never wait for each other, and a feed has about as many rows as transactions
-- added to it at the same time.
-- Example: T1 adds 1 to the row with 5 items. Before T1 commits, T2 inserts a row with 1 item. The sum is 6 + 1.
CREATE TABLE activity_counts (
    audience_id uuid   NOT NULL,
    type        text   NOT NULL,
    items       bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX activity_counts_audience_idx ON activity_counts (audience_id, type);

-- +goose StatementBegin
CREATE FUNCTION count_activities() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change record;
    free   tid;
BEGIN
    FOR change IN
        SELECT audience_id, type, CASE tg_op WHEN 'DELETE' THEN -1 ELSE 1 END * count(*) AS items FROM changed GROUP BY 1, 2
    LOOP
        SELECT c.ctid INTO free
        FROM activity_counts c
        WHERE c.audience_id = change.audience_id AND c.type = change.type
        LIMIT 1
        FOR UPDATE SKIP LOCKED;
        UPDATE activity_counts SET items = items + change.items WHERE ctid = free;
        IF NOT found THEN
            INSERT INTO activity_counts (audience_id, type, items) VALUES (change.audience_id, change.type, change.items);
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER activities_count_added AFTER INSERT ON activities
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_activities();
CREATE TRIGGER activities_count_removed AFTER DELETE ON activities
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_activities();

-- 8. Rewards ---------------------------------------------------------------------------------------

-- Claims of rewards, each with the content of its voucher. The distributor owes the wallet base + amount
-- in total, of which base is already paid.
CREATE TABLE claims (
    id             uuid    PRIMARY KEY,
    agent_id       uuid    NOT NULL REFERENCES agents (id),
    amount         wei     NOT NULL CHECK (amount > 0),
    karma_snapshot bigint  NOT NULL,
    tx_hash        hash32,
    status         text    NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'failed')),
    created_at     instant NOT NULL DEFAULT now(),
    chain_id       bigint  NOT NULL,
    distributor    address NOT NULL,
    wallet         address NOT NULL,
    base           wei     NOT NULL,
    paid           wei, -- derived from the logs, like tx_hash and, unless the claim was given up, status
    given_up       boolean NOT NULL DEFAULT false,
    CONSTRAINT claims_paid_check CHECK ((status = 'paid') = (paid IS NOT NULL)),
    CONSTRAINT claims_tx_hash_check CHECK ((status = 'paid') = (tx_hash IS NOT NULL))
);
CREATE UNIQUE INDEX claims_open_idx ON claims (agent_id) WHERE status = 'pending';
CREATE INDEX claims_agent_id_idx ON claims (agent_id, created_at DESC, id DESC);
CREATE INDEX claims_wallet_idx ON claims (wallet, chain_id, distributor);

-- 9. Moderation ------------------------------------------------------------------------------------

-- A decision of a moderator on a reported or held record, with its statement of reasons. It is in
-- force until ended_at.
CREATE TABLE moderation_decisions (
    id           uuid    PRIMARY KEY,
    subject_kind text    NOT NULL CHECK (subject_kind IN ('task', 'profile', 'message', 'file')),
    subject_id   uuid    NOT NULL,
    author_id    uuid    NOT NULL,
    author_kind  text    NOT NULL,
    measure      text    NOT NULL,
    territory    text    NOT NULL CHECK (char_length(territory) <= 100),
    facts        text    NOT NULL CHECK (char_length(facts) <= 4000),
    automation   text    NOT NULL CHECK (automation IN ('none', 'detection')),
    clause       text    NOT NULL CHECK (char_length(clause) <= 200),
    decided_by   text    NOT NULL CHECK (decided_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'),
    decided_at   instant NOT NULL DEFAULT now(),
    ended_at     instant,
    ended_by     text    CHECK (ended_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'),
    -- Whether the list outside of the database contains the decision and its end. Suspensions are
    -- repeated from it after a restore.
    listed       boolean NOT NULL DEFAULT false,
    end_listed   boolean NOT NULL DEFAULT false,
    -- The subject as it was when a measure was imposed, for the person who decides an appeal. It is cleared
    -- when no appeal is possible or open any more.
    subject_text text    NOT NULL DEFAULT '',
    UNIQUE (id, decided_by, decided_at),
    CONSTRAINT moderation_decisions_check CHECK (CASE subject_kind
        WHEN 'profile' THEN measure IN ('none', 'hide', 'limit', 'suspend')
        ELSE measure IN ('none', 'hide', 'remove')
    END),
    CONSTRAINT moderation_decisions_check1 CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    CONSTRAINT moderation_decisions_check2 CHECK (measure <> 'none' OR ended_at IS NULL),
    CONSTRAINT moderation_decisions_check3 CHECK (measure = 'none' OR (territory <> '' AND facts <> '' AND clause <> '')),
    FOREIGN KEY (author_id, author_kind) REFERENCES users (id, kind)
);
-- A record is under one measure at most.
CREATE UNIQUE INDEX moderation_decisions_in_force_idx ON moderation_decisions (subject_kind, subject_id)
    WHERE measure <> 'none' AND ended_at IS NULL;
CREATE INDEX moderation_decisions_author_idx ON moderation_decisions (author_id, decided_at DESC, id DESC) WHERE measure <> 'none';
CREATE INDEX moderation_decisions_unlisted_idx ON moderation_decisions (decided_at)
    WHERE measure = 'suspend' AND (NOT listed OR ended_at IS NOT NULL AND NOT end_listed);

-- A record under a measure refers to the decision in force.
ALTER TABLE users ADD FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id);
ALTER TABLE tasks ADD FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id);
ALTER TABLE files ADD FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id);
ALTER TABLE task_messages ADD FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id);
ALTER TABLE direct_messages ADD FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id);

-- Reports of users, and reports by the operator's rules of texts that were written after the creation of a
-- task. The latter have a rule instead of a reporter, and record_id is the record with the text, which can
-- be part of the subject, for example an application.
CREATE TABLE reports (
    id            uuid    PRIMARY KEY,
    reporter_id   uuid,
    reporter_kind text,
    subject_kind  text    NOT NULL CHECK (subject_kind IN ('task', 'profile', 'message', 'file')),
    subject_id    uuid    NOT NULL,
    author_id     uuid    NOT NULL REFERENCES users (id),
    category      text    NOT NULL CHECK (category IN ('illegal', 'fraud', 'privacy', 'harassment', 'sexual', 'spam', 'other_reason')),
    comment       text    NOT NULL DEFAULT '' CHECK (char_length(comment) <= 2000),
    decision_id   uuid    REFERENCES moderation_decisions (id),
    created_at    instant NOT NULL DEFAULT now(),
    -- The subject as it was when it was reported, because the author can change or erase it before a moderator
    -- reads the report. The decision clears it.
    subject_text  text    NOT NULL DEFAULT '',
    rule          text,
    record_id     uuid,
    CONSTRAINT reports_check CHECK (author_id <> reporter_id),
    CONSTRAINT reports_rule_check CHECK (CASE WHEN rule IS NULL
        THEN reporter_id IS NOT NULL AND reporter_kind IS NOT NULL AND record_id IS NULL
        ELSE reporter_id IS NULL AND reporter_kind IS NULL AND record_id IS NOT NULL END),
    CONSTRAINT reports_subject_text_check CHECK (decision_id IS NULL OR subject_text = ''),
    FOREIGN KEY (reporter_id, reporter_kind) REFERENCES users (id, kind)
);
CREATE UNIQUE INDEX reports_open_idx ON reports (reporter_id, subject_kind, subject_id) WHERE decision_id IS NULL;
CREATE INDEX reports_queue_idx ON reports (subject_kind, subject_id) WHERE decision_id IS NULL;
CREATE INDEX reports_decision_id_idx ON reports (decision_id) WHERE decision_id IS NOT NULL;
CREATE INDEX reports_reporter_id_idx ON reports (reporter_id, id);

-- +goose StatementBegin
CREATE FUNCTION forget_reported_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.subject_text := '';
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER reports_forget BEFORE UPDATE OF decision_id ON reports
    FOR EACH ROW WHEN (new.decision_id IS NOT NULL) EXECUTE FUNCTION forget_reported_text();

-- An author's appeal. It repeats the decision's person and time, so that the checks can compare them:
-- another person decides the appeal, and 4416 hours are at least six months.
CREATE TABLE appeals (
    id            uuid    PRIMARY KEY,
    decision_id   uuid    NOT NULL UNIQUE,
    first_decider text    NOT NULL,
    imposed_at    instant NOT NULL,
    statement     text    NOT NULL CHECK (char_length(statement) BETWEEN 1 AND 4000),
    created_at    instant NOT NULL DEFAULT now(),
    outcome       text    CHECK (outcome IN ('upheld', 'reversed')),
    reasons       text    CHECK (char_length(reasons) BETWEEN 1 AND 4000),
    decided_by    text    CHECK (decided_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'),
    decided_at    instant,
    CONSTRAINT appeals_check CHECK ((outcome IS NULL) = (reasons IS NULL) AND (outcome IS NULL) = (decided_by IS NULL)
        AND (outcome IS NULL) = (decided_at IS NULL)),
    CONSTRAINT appeals_second_person_check CHECK (decided_by <> first_decider),
    CONSTRAINT appeals_window_check CHECK (created_at < imposed_at + interval '4416 hours'),
    -- One person can act in the console and on the command line, where the recorded name has the prefix cli:.
    -- The name of a sign-in link can begin with it too, so all of them are ignored, in upper and lower case.
    CONSTRAINT appeals_other_person_check CHECK (
        regexp_replace(lower(decided_by), '^(cli:)+', '') <> regexp_replace(lower(first_decider), '^(cli:)+', '')),
    FOREIGN KEY (decision_id, first_decider, imposed_at) REFERENCES moderation_decisions (id, decided_by, decided_at)
);
CREATE INDEX appeals_open_idx ON appeals (created_at) WHERE outcome IS NULL;

-- 10. Erasure --------------------------------------------------------------------------------------

-- An erasure of an account's personal data. The account's row stays, because records of other users
-- and the wallet's records on the chain refer to it. listed is whether the list outside of the
-- database contains the erasure, which is repeated from it after a restore. contracts_erased_at is
-- when the texts that are part of contracts with other users were erased.
CREATE TABLE erasures (
    id                  uuid    PRIMARY KEY,
    account_id          uuid    NOT NULL REFERENCES users (id),
    requested_by        text    NOT NULL CHECK (requested_by IN ('account', 'operator')),
    erased_at           instant NOT NULL,
    contracts_erased_at instant,
    listed              boolean NOT NULL DEFAULT false
);
CREATE INDEX erasures_account_id_idx ON erasures (account_id);
CREATE INDEX erasures_unlisted_idx ON erasures (erased_at) WHERE NOT listed;
CREATE INDEX erasures_contracts_idx ON erasures (erased_at) WHERE contracts_erased_at IS NULL;

-- The linked accounts of users who erased their own data while they were limited, suspended or reported. They
-- stay barred while the measure is in force, because another user could be verified with them otherwise.
CREATE TABLE barred_links (
    user_id      uuid    NOT NULL REFERENCES users (id),
    account_hash hash32  NOT NULL, -- SHA-256 of the network, a space, and the network's id of the account
    created_at   instant NOT NULL DEFAULT now(),
    PRIMARY KEY (account_hash, user_id)
);
CREATE INDEX barred_links_user_idx ON barred_links (user_id);

-- 11. Keeper ---------------------------------------------------------------------------------------

-- The keeper's jobs. The keeper selects a job with FOR UPDATE SKIP LOCKED. It stores the
-- transaction before sending it, so that a job is never sent twice with different nonces. A job of kind
-- cancel uses a nonce for an empty transfer.
CREATE TABLE outbox (
    id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id   bigint  NOT NULL,
    escrow     address NOT NULL,
    kind       text    NOT NULL CHECK (kind IN ('verdicts', 'settle', 'claim', 'cancel')),
    dedupe_key text    NOT NULL UNIQUE,
    payload    jsonb   NOT NULL,
    gate       text    NOT NULL DEFAULT 'seen' CHECK (gate IN ('seen', 'safe', 'final')),
    state      text    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'done', 'failed')),
    run_at     instant NOT NULL DEFAULT now(),
    attempts   integer NOT NULL DEFAULT 0,
    nonce      bigint,
    tx_hash    hash32,
    raw_tx     bytea,
    error      text    NOT NULL DEFAULT '',
    created_at instant NOT NULL DEFAULT now(),
    sender     address, -- the account that signed the transaction, because nonces are counted per account
    resend     boolean NOT NULL DEFAULT false, -- an operator requests higher fees for the transaction
    CONSTRAINT outbox_sent_check CHECK (state <> 'sent' OR raw_tx IS NOT NULL),
    CONSTRAINT outbox_transaction_check CHECK (num_nonnulls(sender, nonce, tx_hash, raw_tx) IN (0, 4))
);
CREATE INDEX outbox_open_idx ON outbox (chain_id, run_at, id) WHERE state IN ('pending', 'sent');
CREATE INDEX outbox_task_idx ON outbox (chain_id, escrow, ((payload->>'task_id')::bigint)) WHERE kind IN ('verdicts', 'settle');
-- For deleting old closed jobs.
CREATE INDEX outbox_closed_idx ON outbox (run_at) WHERE state IN ('done', 'failed');

-- The keeper's lease, which ensures that only one process at a time sends transactions for a chain.
-- Each update of a job checks the epoch. limited_at is the last time at which the keeper reached a
-- spending limit.
CREATE TABLE keeper_lease (
    chain_id    bigint  PRIMARY KEY,
    holder      text    NOT NULL CHECK (holder <> ''),
    account     address NOT NULL,
    epoch       bigint  NOT NULL CHECK (epoch > 0),
    lease_until instant NOT NULL,
    limited_at  instant
);

-- Maximum and actual costs of the keeper's transactions. A chain executes only one transaction for
-- each nonce of an account. Each nonce therefore has one row, which a replacement transaction
-- updates. most is the gas limit times the fee cap; paid is NULL until the receipt is known.
CREATE TABLE keeper_spending (
    chain_id     bigint  NOT NULL,
    sender       address NOT NULL,
    nonce        bigint  NOT NULL CHECK (nonce >= 0),
    tx_hash      hash32  NOT NULL,
    most         wei     NOT NULL,
    paid         wei,
    signed_at    instant NOT NULL,
    -- The number of transactions that another one with the nonce replaced, and their hashes. Any of them can
    -- be mined. A mined transaction with another hash was sent by another program with the keeper's key.
    replacements integer NOT NULL DEFAULT 0,
    replaced     bytea[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (chain_id, sender, nonce),
    CONSTRAINT keeper_spending_check CHECK (paid <= most)
);
CREATE INDEX keeper_spending_signed_at_idx ON keeper_spending (chain_id, signed_at);

-- 12. Event log ------------------------------------------------------------------------------------

-- Returns the start of the month of a time in UTC, or of a later month.
CREATE FUNCTION month_start(at timestamptz, months integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT (date_trunc('month', at AT TIME ZONE 'UTC') + months * interval '1 month') AT TIME ZONE 'UTC'
$$;

-- Changes to records in a total order, with one row for each user that can read the record. Rows of
-- kind access report that a credential was revoked. Events are partitioned by the month in which they were
-- created, in UTC. Dropping a month takes no time and leaves no dead rows.
CREATE SEQUENCE events_id_seq;
CREATE TABLE events (
    id          bigint  NOT NULL DEFAULT nextval('events_id_seq'),
    audience_id uuid    NOT NULL,
    kind        text    NOT NULL CHECK (kind IN ('activity', 'task', 'application', 'access')),
    subject_id  uuid    NOT NULL,
    task_id     uuid,   -- for applications
    status      text    NOT NULL,
    created_at  instant NOT NULL DEFAULT now(),
    PRIMARY KEY (id, created_at) -- a unique key of a partitioned table must contain the partition key
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE events_id_seq OWNED BY events.id;
CREATE INDEX events_audience_idx ON events (audience_id, id);

-- The epoch of the event log, which changes when a database is restored, and the last deleted id.
CREATE TABLE event_log (
    alone boolean PRIMARY KEY DEFAULT true CHECK (alone),
    epoch text    NOT NULL DEFAULT substr(md5(gen_random_uuid()::text), 1, 8),
    swept bigint  NOT NULL DEFAULT 0
);
INSERT INTO event_log DEFAULT VALUES;

-- Returns the name of the partition for a time.
CREATE FUNCTION event_partition(created_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(created_at AT TIME ZONE 'UTC', '"events_"YYYY"_"MM')
$$;

-- Returns the partitions with their bounds. since is null for the first one.
CREATE FUNCTION event_partitions() RETURNS TABLE (name regclass, since timestamptz, until timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass, substring(bound FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
           substring(bound FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
    WHERE i.inhparent = 'events'::regclass
$$;

-- Creates the partition for a time unless one contains it. The lock admits one transaction at a time, and
-- makes the partitions of ended transactions visible to to_regclass. Attaching a table does not block
-- writes, but CREATE TABLE ... PARTITION OF would. The functions for partitions run with the rights of
-- their owner, because the service's role may not create tables.
-- +goose StatementBegin
CREATE FUNCTION create_event_partition(created_at timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    partition text := event_partition(created_at);
BEGIN
    -- The first partition contains all earlier months, and can have the name of a later one.
    IF to_regclass(partition) IS NOT NULL
       OR EXISTS (SELECT FROM event_partitions() WHERE since IS NULL AND created_at < until) THEN
        RETURN;
    END IF;
    LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   partition, month_start(created_at, 0), month_start(created_at, 1));
END $$;
-- +goose StatementEnd

-- Drops the partitions that contain only events older than a retention period, and returns their
-- number. It records the last deleted id in the same transaction, so that readers always detect a
-- deletion. A transaction that reads events delays it; after two seconds it fails, so that it does
-- not delay others for longer. Another server may drop the partitions while this one waits.
-- +goose StatementBegin
CREATE FUNCTION drop_event_partitions(retention interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    partition regclass;
    dropped integer := 0;
BEGIN
    IF NOT EXISTS (SELECT FROM event_partitions() WHERE until <= now() - retention) THEN
        RETURN 0;
    END IF;
    LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
    FOR partition IN SELECT name FROM event_partitions() WHERE until <= now() - retention LOOP
        EXECUTE format('UPDATE event_log SET swept = greatest(swept, (SELECT max(id) FROM %s))', partition);
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION create_event_partition, drop_event_partitions FROM PUBLIC;

-- The first partition contains this month and all earlier ones.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF events FOR VALUES FROM (MINVALUE) TO (%L)',
                   event_partition(now()), month_start(now(), 1));
END $$;
-- +goose StatementEnd

-- Transactions reserve ids in one order and commit in another, so a reader could skip an id that is
-- committed later. Before its first id, a transaction therefore takes a shared advisory lock on the
-- last id in the log and holds it until its rows are visible. These locks never block a
-- transaction; readers only list them. Their class is 1163284563. The last id is not selected from
-- the sequence's relation, because the value stored there can be higher than the last id that was
-- used.
CREATE FUNCTION last_event() RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(pg_sequence_last_value('events_id_seq'), 0)
$$;

-- The next month's partition is created in advance. A transaction creates the partition itself if
-- the service did not run for more than a month.
-- +goose StatementBegin
CREATE FUNCTION begin_events() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('taskmarket.events', true), '') = '' THEN
        IF to_regclass(event_partition(now())) IS NULL THEN
            PERFORM create_event_partition(now());
        END IF;
        PERFORM pg_advisory_xact_lock_shared(1163284563, (last_event() % 2147483648)::integer);
        PERFORM set_config('taskmarket.events', 'begun', true);
    END IF;
END $$;
-- +goose StatementEnd

-- Returns the highest id up to which all transactions have ended. After this call, readers can read
-- all events up to this id, and none are added later. The last id is read before the locks, because
-- transactions that take a lock later use higher ids.
-- +goose StatementBegin
CREATE FUNCTION settled_events() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    newest bigint := last_event();
    open bigint;
BEGIN
    SELECT max((newest - objid::bigint) & 2147483647) INTO open
    FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 1163284563 AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      -- Ignore locks taken after the newest id was read (compared modulo 2^31).
      AND ((newest - objid::bigint) & 2147483647) < 1073741824;
    RETURN newest - coalesce(open, 0);
END $$;
-- +goose StatementEnd

-- Records that a transaction has changed, with their state before the transaction. At the commit, a
-- deferred trigger compares this state with the current record and inserts an event for each
-- difference. Intermediate states cause no events, for example if one record releases a unique key
-- and another record takes it. The trigger deletes the rows, so none remain after the transaction.
CREATE UNLOGGED TABLE changed_records (
    tx             xid8    NOT NULL DEFAULT pg_current_xact_id(),
    kind           text    NOT NULL CHECK (kind IN ('activity', 'task', 'application')),
    subject_id     uuid    NOT NULL,
    leads          boolean NOT NULL, -- first row of its statement, which queues the trigger
    -- The previous status; NULL if the transaction created the record.
    status         text,
    human_id       uuid,             -- for tasks, like the following columns
    escrow_task_id bigint,
    changed_block  bigint,
    PRIMARY KEY (tx, kind, subject_id),
    CONSTRAINT changed_records_check CHECK (
        kind = 'task' AND status IS NOT NULL OR num_nonnulls(human_id, escrow_task_id, changed_block) = 0)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- ON CONFLICT keeps the first row for each record, which contains its state before the transaction.
-- The deferred trigger is already queued for that row. Nested loops are disabled because plans are
-- cached for a session. A nested loop that suits one row would take quadratic time when a fold
-- changes thousands.
-- +goose StatementBegin
CREATE FUNCTION note_tasks() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    IF tg_op = 'INSERT' THEN
        INSERT INTO changed_records (kind, subject_id, leads)
        SELECT 'task', id, row_number() OVER () = 1 FROM after
        ON CONFLICT DO NOTHING;
    ELSE
        INSERT INTO changed_records (kind, subject_id, leads, status, human_id, escrow_task_id, changed_block)
        SELECT 'task', id, row_number() OVER () = 1, b.status, b.human_id, b.escrow_task_id, b.changed_block
        FROM before b JOIN after a USING (id)
        WHERE (a.status, a.human_id, a.escrow_task_id, a.changed_block)
            IS DISTINCT FROM (b.status, b.human_id, b.escrow_task_id, b.changed_block)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_note_added AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_tasks();
CREATE TRIGGER tasks_note_changed AFTER UPDATE ON tasks
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_tasks();

-- The trigger's argument is the kind of the records. The state that is compared is their status.
-- +goose StatementBegin
CREATE FUNCTION note_statuses() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    CASE tg_op
    WHEN 'INSERT' THEN
        INSERT INTO changed_records (kind, subject_id, leads)
        SELECT tg_argv[0], id, row_number() OVER () = 1 FROM after
        ON CONFLICT DO NOTHING;
    WHEN 'UPDATE' THEN
        INSERT INTO changed_records (kind, subject_id, leads, status)
        SELECT tg_argv[0], id, row_number() OVER () = 1, b.status
        FROM before b JOIN after a USING (id)
        WHERE a.status <> b.status
        ON CONFLICT DO NOTHING;
    ELSE -- a transaction can delete a record and insert it again
        INSERT INTO changed_records (kind, subject_id, leads, status)
        SELECT tg_argv[0], id, row_number() OVER () = 1, status FROM before
        ON CONFLICT DO NOTHING;
    END CASE;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER applications_note_added AFTER INSERT ON applications
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('application');
CREATE TRIGGER applications_note_changed AFTER UPDATE ON applications
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('application');
CREATE TRIGGER applications_note_removed AFTER DELETE ON applications
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('application');
CREATE TRIGGER activities_note_added AFTER INSERT ON activities
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('activity');
CREATE TRIGGER activities_note_changed AFTER UPDATE ON activities
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('activity');

-- Inserts all events of the transaction: first for tasks, then for applications, then for
-- activities. Events about a task or an application are for its agent and its human, including a
-- human that was removed from the task. The ids are taken at the end of the transaction, so that a
-- long transaction delays the events of others only while it commits. The planner settings force
-- look-ups by key for any number of records, because the statistics may be those of an empty
-- database.
-- +goose StatementBegin
CREATE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM changed_records c WHERE (c.tx, c.kind, c.subject_id) = (new.tx, new.kind, new.subject_id)
    ) THEN
        RETURN NULL; -- another row has already inserted the events
    END IF;
    PERFORM begin_events();
    INSERT INTO events (audience_id, kind, subject_id, status)
    SELECT DISTINCT w.id, 'task', t.id, t.status
    FROM changed_records c
    JOIN tasks t ON t.id = c.subject_id,
         LATERAL (VALUES (t.agent_id), (t.human_id), (c.human_id)) w (id)
    WHERE c.tx = new.tx AND c.kind = 'task' AND w.id IS NOT NULL
      AND (t.status, t.human_id, t.escrow_task_id, t.changed_block)
          IS DISTINCT FROM (c.status, c.human_id, c.escrow_task_id, c.changed_block)
    ORDER BY t.id;
    INSERT INTO events (audience_id, kind, subject_id, task_id, status)
    SELECT w.id, 'application', a.id, a.task_id, a.status
    FROM changed_records c
    JOIN applications a ON a.id = c.subject_id
    JOIN tasks t ON t.id = a.task_id,
         LATERAL (VALUES (t.agent_id), (a.human_id)) w (id)
    WHERE c.tx = new.tx AND c.kind = 'application' AND a.status IS DISTINCT FROM c.status
    ORDER BY a.id;
    INSERT INTO events (audience_id, kind, subject_id, status)
    SELECT a.audience_id, 'activity', a.id, a.status
    FROM changed_records c
    JOIN activities a ON a.id = c.subject_id
    WHERE c.tx = new.tx AND c.kind = 'activity' AND a.status IS DISTINCT FROM c.status
    ORDER BY a.created_at, a.id;
    DELETE FROM changed_records WHERE tx = new.tx;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER changed_records_log AFTER INSERT ON changed_records
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.leads) EXECUTE FUNCTION log_changes();

-- If a key is replaced or a session ends, access is revoked. The event wakes the readers of the
-- event stream, which then check the credential again.
-- +goose StatementBegin
CREATE FUNCTION log_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    INSERT INTO events (audience_id, kind, subject_id, status) VALUES (new.id, 'access', new.id, '');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER agents_log_keys AFTER UPDATE OF key_hash ON agents
    FOR EACH ROW WHEN (new.key_hash::bytea <> old.key_hash::bytea) EXECUTE FUNCTION log_keys();

-- +goose StatementBegin
CREATE FUNCTION log_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    INSERT INTO events (audience_id, kind, subject_id, status) VALUES (old.human_id, 'access', old.human_id, '');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER sessions_log_ended AFTER DELETE ON sessions
    FOR EACH ROW WHEN (old.expires_at > now()) EXECUTE FUNCTION log_sessions();

-- 13. Requests -------------------------------------------------------------------------------------

-- Responses to requests with an Idempotency-Key header. status is NULL while the first request
-- runs, and stays NULL if its server crashes. In that case, a repeated request can run after
-- held_until and creates the same record.
CREATE TABLE idempotency_keys (
    scope        hash32   PRIMARY KEY, -- SHA-256 of principal, operation, path and key
    request_hash hash32   NOT NULL,
    record_id    uuid     NOT NULL,    -- id of the record that the request creates
    held_until   instant  NOT NULL,
    status       smallint,
    body         bytea,
    created_at   instant  NOT NULL DEFAULT now(),
    expires_at   instant  NOT NULL,
    account_id   uuid,                 -- the account that sent the request: an erasure deletes its stored responses
    CONSTRAINT idempotency_keys_check CHECK ((status IS NULL) = (body IS NULL))
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- Token buckets (GCRA), with the theoretical arrival time of the next request. The table is
-- unlogged, because it is harmless if all buckets are full after a crash.
CREATE UNLOGGED TABLE rate_limits (
    key text        PRIMARY KEY,
    tat timestamptz NOT NULL
);
CREATE INDEX rate_limits_tat_idx ON rate_limits (tat);

-- 14. Operators ------------------------------------------------------------------------------------

-- Links that sign an operator in to the console once.
CREATE TABLE console_links (
    token_hash hash32  PRIMARY KEY,
    operator   text    NOT NULL CHECK (operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'),
    role       text    NOT NULL CHECK (role IN ('moderator', 'operator')),
    expires_at instant NOT NULL
);

CREATE TABLE console_sessions (
    id_hash    hash32  PRIMARY KEY,
    operator   text    NOT NULL CHECK (operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'),
    role       text    NOT NULL CHECK (role IN ('moderator', 'operator')),
    by_proxy   boolean NOT NULL, -- whether each request must name the operator in a header of the identity proxy
    created_at instant NOT NULL DEFAULT now(),
    used_at    instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL,
    CONSTRAINT console_sessions_expires_check CHECK (expires_at > created_at)
);

-- The audit log has one row for each act that must be accounted for, and one for several refused requests
-- of the same kind from one network. Its texts are identifiers: the checks exclude texts of users.
-- It is partitioned by the month in which a row was written, in UTC, like events.
CREATE SEQUENCE audit_log_id_seq;
CREATE TABLE audit_log (
    id           bigint  NOT NULL DEFAULT nextval('audit_log_id_seq'),
    created_at   instant NOT NULL DEFAULT now(),
    kind         text    NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
    account_id   uuid,
    operator     text    CHECK (operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'),
    network      cidr    CHECK (masklen(network) = CASE family(network) WHEN 4 THEN 24 ELSE 48 END),
    request_id   text    CHECK (request_id ~ '^[A-Za-z0-9._-]{1,128}$'),
    subject_kind text    CHECK (subject_kind ~ '^[a-z_]{1,40}$'),
    subject      text    CHECK (subject ~ '^[A-Za-z0-9._:-]{1,80}$'),
    detail       text    CHECK (detail ~ '^[A-Za-z0-9._:-]{1,80}$'),
    count        integer NOT NULL DEFAULT 1 CHECK (count > 0),
    PRIMARY KEY (id, created_at),
    CONSTRAINT audit_log_actor_check CHECK (account_id IS NULL OR operator IS NULL),
    CONSTRAINT audit_log_subject_complete_check CHECK ((subject IS NULL) = (subject_kind IS NULL))
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE audit_log_id_seq OWNED BY audit_log.id;
CREATE INDEX audit_log_account_idx ON audit_log (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_log_subject_idx ON audit_log (subject, id) WHERE subject IS NOT NULL;
CREATE INDEX audit_log_kind_idx ON audit_log (kind, id);

-- Returns the name of the partition for a time.
CREATE FUNCTION audit_partition(created_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(created_at AT TIME ZONE 'UTC', '"audit_log_"YYYY"_"MM')
$$;

-- Returns the partitions with their bounds. since is null for the first one.
CREATE FUNCTION audit_partitions() RETURNS TABLE (name regclass, since timestamptz, until timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass, substring(bound FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
           substring(bound FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
    WHERE i.inhparent = 'audit_log'::regclass
$$;

-- Creates the partition for a time unless one contains it, in the same way as create_event_partition.
-- +goose StatementBegin
CREATE FUNCTION create_audit_partition(created_at timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    partition text := audit_partition(created_at);
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN;
    END IF;
    LOCK TABLE audit_log IN SHARE UPDATE EXCLUSIVE MODE;
    -- The first partition contains all earlier months: a clock can be behind that of the migration.
    IF to_regclass(partition) IS NOT NULL
       OR EXISTS (SELECT FROM audit_partitions() WHERE since IS NULL AND created_at < until) THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   partition, month_start(created_at, 0), month_start(created_at, 1));
END $$;
-- +goose StatementEnd

-- Drops the partitions that contain only rows older than a retention period, and returns their number.
-- The service's role can call it, so it refuses to drop what is younger than 30 days. A transaction that
-- uses the log delays it; after two seconds it fails, so that it does not delay others for longer.
-- +goose StatementBegin
CREATE FUNCTION drop_audit_partitions(retention interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    partition regclass;
    dropped integer := 0;
BEGIN
    IF retention < interval '30 days' THEN
        RAISE EXCEPTION 'the audit log is kept for at least 30 days, not %', retention USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT EXISTS (SELECT FROM audit_partitions() WHERE until <= now() - retention) THEN
        RETURN 0;
    END IF;
    LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE;
    FOR partition IN SELECT name FROM audit_partitions() WHERE until <= now() - retention LOOP
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION create_audit_partition, drop_audit_partitions FROM PUBLIC;

-- The first partition contains this month and all earlier ones.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (MINVALUE) TO (%L)',
                   audit_partition(now()), month_start(now(), 1));
END $$;
-- +goose StatementEnd

-- Adds a row. It creates the partition if the service did not run for more than a month.
-- +goose StatementBegin
CREATE FUNCTION write_audit(kind text, account_id uuid, operator text, network cidr, request_id text,
                            subject_kind text, subject text, detail text, count integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF to_regclass(audit_partition(now())) IS NULL THEN
        PERFORM create_audit_partition(now());
    END IF;
    INSERT INTO audit_log (kind, account_id, operator, network, request_id, subject_kind, subject, detail, count)
    VALUES (write_audit.kind, write_audit.account_id, write_audit.operator, write_audit.network, write_audit.request_id,
            write_audit.subject_kind, write_audit.subject, write_audit.detail, write_audit.count);
END $$;
-- +goose StatementEnd

-- +goose Down

DROP TABLE
    users, agents, humans, usernames, challenges, sessions, chain_head, chain_blocks, chain_logs,
    onchain_tasks, onchain_applications, chain_parameters, chain_validators, chain_quorums, chain_rereads,
    chain_findings, tasks, applications, files, submissions, submission_files, disputes, verdicts, reviews,
    task_messages, conversations, direct_messages, activities, activity_counts, claims, moderation_decisions,
    reports, appeals, erasures, barred_links, outbox, keeper_lease, keeper_spending, events, event_log,
    changed_records, idempotency_keys, rate_limits, console_links, console_sessions, audit_log;
DROP FUNCTION
    check_former_usernames, describe_human, touch_human, username_skeleton, keep_usernames, wallet_state,
    caller_state, copy_quorums, copy_changed_quorums, count_review, conversation_folder, count_activities,
    forget_reported_text, month_start, event_partition, event_partitions, create_event_partition,
    drop_event_partitions, last_event, begin_events, settled_events, note_tasks, note_statuses, log_changes,
    log_keys, log_sessions, audit_partition, audit_partitions, create_audit_partition, drop_audit_partitions,
    write_audit;
DROP DOMAIN wei, address, hash32, instant;
