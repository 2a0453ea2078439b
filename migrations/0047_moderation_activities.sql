-- +goose Up

-- An author is notified of a measure, of its end, of the decision on an appeal, and of the decision on
-- a held task.
ALTER TABLE activities DROP CONSTRAINT activities_agent_check, DROP CONSTRAINT activities_human_check;
ALTER TABLE activities ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
    'task_funded', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
    'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
    'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
    'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
    'claim_failed', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown')) NOT VALID;
ALTER TABLE activities ADD CONSTRAINT activities_human_check CHECK (audience_kind <> 'human' OR coalesce(reverted_kind, kind) IN (
    'work_submitted', 'review_started', 'dispute_opened', 'dispute_answered', 'work_approved',
    'payment_released', 'payment_refunded', 'task_cancelled', 'task_expired', 'stake_locked',
    'application_accepted', 'application_rejected', 'unstaked_application_rejected',
    'application_withdrawn', 'application_expired', 'stake_returned', 'stake_forfeited',
    'review_received', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld')) NOT VALID;

-- +goose Down
DELETE FROM activities WHERE kind IN ('measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown');
ALTER TABLE activities DROP CONSTRAINT activities_agent_check, DROP CONSTRAINT activities_human_check;
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
    ));
