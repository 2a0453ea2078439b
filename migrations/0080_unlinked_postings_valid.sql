-- +goose Up

-- In a transaction of its own, because the lock of the addition would be held during the scan.
ALTER TABLE activities VALIDATE CONSTRAINT activities_agent_check;

-- +goose Down
ALTER TABLE activities DROP CONSTRAINT activities_agent_check;
ALTER TABLE activities ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
    'task_funded', 'posting_unlinked', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
    'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
    'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
    'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
    'claim_failed', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown')) NOT VALID;
