-- +goose Up

-- An item stores its kind and parameters. The texts are in market/activity_text.go. actor is the
-- party that disputed or cancelled. reverted_kind is the kind of the item that a reorganisation
-- reverted.
ALTER TABLE activities RENAME COLUMN title TO kind;
ALTER TABLE activities RENAME COLUMN description TO actor;
ALTER TABLE activities ALTER COLUMN actor DROP NOT NULL, ADD COLUMN reverted_kind text;

-- An item's dedupe_key identifies its cause, which is a log, a time or a record.
UPDATE activities a
SET kind = CASE WHEN c.reverted THEN 'event_reverted' ELSE c.kind END,
    reverted_kind = CASE WHEN c.reverted THEN c.kind END,
    actor = CASE WHEN c.kind IN ('dispute_opened', 'task_cancelled') THEN (
        SELECT CASE
            WHEN l.event->>'caller' = l.event->>'agent' THEN 'agent'
            WHEN l.event->>'caller' = l.event->>'human' OR c.kind = 'dispute_opened' THEN 'human'
        END
        FROM (VALUES (split_part(a.dedupe_key, ':', 1), split_part(a.dedupe_key, ':', 2), split_part(a.dedupe_key, ':', 3)))
             AS log (chain_id, block_hash, log_index)
        LEFT JOIN chain_logs l -- no row if the log was wrong and has been deleted
            ON l.chain_id = log.chain_id::bigint AND l.log_index = log.log_index::integer
           AND l.block_hash = decode(substr(log.block_hash, 3), 'hex')
    ) END
FROM (
    SELECT i.id, i.dedupe_key LIKE '%:undone' AS reverted,
           CASE WHEN causes.kind = 'expired' THEN i.type || '_expired' ELSE causes.kind END AS kind
    FROM activities i
    JOIN (VALUES
        ('%:TaskPosted', 'task_funded'),
        ('%:TaskCreated', 'human_assigned'),
        ('%:TaskSubmitted', 'work_submitted'),
        ('%:TaskDisputed', 'dispute_opened'),
        ('%:AgentApproved', 'work_approved'),
        ('%:TaskReleased', 'payment_released'),
        ('%:TaskRefunded', 'payment_refunded'),
        ('%:TaskCancelled', 'task_cancelled'),
        ('%:ApplicationStakeLocked', 'stake_locked'),
        ('%:ApplicationStakeActivated', 'application_accepted'),
        ('%:ApplicationStakeReturned', 'stake_returned'),
        ('%:ApplicationStakeForfeited', 'stake_forfeited'),
        ('%:ApplicationRejected', 'application_rejected'),
        ('%:ApplicationWithdrawn', 'application_withdrawn'),
        ('%:Claimed', 'claim_paid'),
        ('%:validating:%', 'review_started'),
        ('%:expired:%', 'expired'), -- for a task or an application
        ('application-created:%', 'application_created'),
        ('application-rejected:%', 'unstaked_application_rejected'),
        ('application-withdrawn:%', 'application_withdrawn'),
        ('dispute-answered:%', 'dispute_answered'),
        ('review-%', 'review_received'),
        ('claim-failed:%', 'claim_failed'),
        ('message-%', 'message_received'),
        ('dm-%', 'dm_received')
    ) AS causes (pattern, kind) ON regexp_replace(i.dedupe_key, ':undone$', '') LIKE causes.pattern
) AS c
WHERE c.id = a.id;

-- An item's kind must be one for which its receiver has a text.
ALTER TABLE activities
    ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
        'task_funded', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
        'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
        'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
        'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
        'claim_failed', 'message_received', 'dm_received'
    )),
    ADD CONSTRAINT activities_human_check CHECK (audience_kind <> 'human' OR coalesce(reverted_kind, kind) IN (
        'work_submitted', 'review_started', 'dispute_opened', 'dispute_answered', 'work_approved',
        'payment_released', 'payment_refunded', 'task_cancelled', 'task_expired', 'stake_locked',
        'application_accepted', 'application_rejected', 'unstaked_application_rejected',
        'application_withdrawn', 'application_expired', 'stake_returned', 'stake_forfeited',
        'review_received', 'message_received', 'dm_received'
    )),
    ADD CONSTRAINT activities_reverted_check CHECK ((kind = 'event_reverted') = (reverted_kind IS NOT NULL)),
    ADD CONSTRAINT activities_actor_check CHECK (actor IN ('agent', 'human') AND CASE coalesce(reverted_kind, kind)
        WHEN 'dispute_opened' THEN actor IS NOT NULL
        WHEN 'task_cancelled' THEN true
        ELSE actor IS NULL
    END);

-- +goose Down
ALTER TABLE activities
    DROP CONSTRAINT activities_agent_check,
    DROP CONSTRAINT activities_human_check,
    DROP CONSTRAINT activities_reverted_check,
    DROP CONSTRAINT activities_actor_check;
UPDATE activities SET actor = '';
ALTER TABLE activities ALTER COLUMN actor SET NOT NULL, DROP COLUMN reverted_kind;
ALTER TABLE activities RENAME COLUMN actor TO description;
ALTER TABLE activities RENAME COLUMN kind TO title;
