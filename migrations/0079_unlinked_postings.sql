-- +goose Up

-- An agent is notified of a posting that locks an amount and funds no task.
ALTER TABLE activities DROP CONSTRAINT activities_agent_check;
ALTER TABLE activities ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
    'task_funded', 'posting_unlinked', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
    'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
    'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
    'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
    'claim_failed', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown')) NOT VALID;

-- +goose Down
DELETE FROM activities WHERE coalesce(reverted_kind, kind) = 'posting_unlinked';
ALTER TABLE activities DROP CONSTRAINT activities_agent_check;
ALTER TABLE activities ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
    'task_funded', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
    'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
    'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
    'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
    'claim_failed', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown'));
