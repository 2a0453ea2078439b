-- +goose Up

-- In a transaction of its own, because the locks of the additions would be held during the scans.
ALTER TABLE users VALIDATE CONSTRAINT users_account_state_check;
ALTER TABLE users VALIDATE CONSTRAINT users_measure_id_fkey;
ALTER TABLE tasks VALIDATE CONSTRAINT tasks_visibility_check;
ALTER TABLE tasks VALIDATE CONSTRAINT tasks_measure_id_fkey;
ALTER TABLE files VALIDATE CONSTRAINT files_visibility_check;
ALTER TABLE files VALIDATE CONSTRAINT files_measure_id_fkey;
ALTER TABLE task_messages VALIDATE CONSTRAINT task_messages_visibility_check;
ALTER TABLE task_messages VALIDATE CONSTRAINT task_messages_measure_id_fkey;
ALTER TABLE direct_messages VALIDATE CONSTRAINT direct_messages_visibility_check;
ALTER TABLE direct_messages VALIDATE CONSTRAINT direct_messages_measure_id_fkey;
ALTER TABLE activities VALIDATE CONSTRAINT activities_agent_check;
ALTER TABLE activities VALIDATE CONSTRAINT activities_human_check;
ALTER TABLE tasks VALIDATE CONSTRAINT tasks_hold_due_at_check;
ALTER TABLE humans VALIDATE CONSTRAINT humans_adult_at_check;
ALTER TABLE sessions VALIDATE CONSTRAINT sessions_last_used_at_check;
ALTER TABLE sessions VALIDATE CONSTRAINT sessions_network_check;
ALTER TABLE sessions VALIDATE CONSTRAINT sessions_browser_check;
ALTER TABLE sessions VALIDATE CONSTRAINT sessions_system_check;
ALTER TABLE reviews VALIDATE CONSTRAINT reviews_after_rejection_check;
ALTER TABLE chain_quorums VALIDATE CONSTRAINT chain_quorums_validators_check;
ALTER TABLE challenges VALIDATE CONSTRAINT challenges_checks_check;

-- +goose Down
ALTER TABLE users DROP CONSTRAINT users_account_state_check, ADD CONSTRAINT users_account_state_check CHECK (
    account_state IN ('good', 'hidden', 'limited', 'suspended') AND (account_state = 'good') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE users DROP CONSTRAINT users_measure_id_fkey, ADD CONSTRAINT users_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;
ALTER TABLE tasks DROP CONSTRAINT tasks_visibility_check, ADD CONSTRAINT tasks_visibility_check CHECK (
    visibility IN ('shown', 'held', 'hidden', 'removed')
    AND (visibility IN ('hidden', 'removed')) = (measure_id IS NOT NULL)
    AND (visibility = 'held') = (hold_due_at IS NOT NULL)
    AND (hold_due_at IS NULL OR hold_rule IS NOT NULL)
    AND char_length(hold_rule) BETWEEN 1 AND 100) NOT VALID;
ALTER TABLE tasks DROP CONSTRAINT tasks_measure_id_fkey, ADD CONSTRAINT tasks_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;
ALTER TABLE files DROP CONSTRAINT files_visibility_check, ADD CONSTRAINT files_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE files DROP CONSTRAINT files_measure_id_fkey, ADD CONSTRAINT files_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;
ALTER TABLE task_messages DROP CONSTRAINT task_messages_visibility_check, ADD CONSTRAINT task_messages_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE task_messages DROP CONSTRAINT task_messages_measure_id_fkey, ADD CONSTRAINT task_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;
ALTER TABLE direct_messages DROP CONSTRAINT direct_messages_visibility_check, ADD CONSTRAINT direct_messages_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE direct_messages DROP CONSTRAINT direct_messages_measure_id_fkey, ADD CONSTRAINT direct_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;
ALTER TABLE activities DROP CONSTRAINT activities_agent_check, ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
    'task_funded', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
    'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
    'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
    'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
    'claim_failed', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown')) NOT VALID;
ALTER TABLE activities DROP CONSTRAINT activities_human_check, ADD CONSTRAINT activities_human_check CHECK (audience_kind <> 'human' OR coalesce(reverted_kind, kind) IN (
    'work_submitted', 'review_started', 'dispute_opened', 'dispute_answered', 'work_approved',
    'payment_released', 'payment_refunded', 'task_cancelled', 'task_expired', 'stake_locked',
    'application_accepted', 'application_rejected', 'unstaked_application_rejected',
    'application_withdrawn', 'application_expired', 'stake_returned', 'stake_forfeited',
    'review_received', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld')) NOT VALID;
ALTER TABLE tasks DROP CONSTRAINT tasks_hold_due_at_check, ADD CONSTRAINT tasks_hold_due_at_check CHECK (isfinite(hold_due_at)) NOT VALID;
ALTER TABLE humans DROP CONSTRAINT humans_adult_at_check, ADD CONSTRAINT humans_adult_at_check CHECK (isfinite(adult_at)) NOT VALID;
ALTER TABLE sessions DROP CONSTRAINT sessions_last_used_at_check, ADD CONSTRAINT sessions_last_used_at_check CHECK (isfinite(last_used_at)) NOT VALID;
ALTER TABLE sessions DROP CONSTRAINT sessions_network_check, ADD CONSTRAINT sessions_network_check CHECK (masklen(network) = CASE family(network) WHEN 4 THEN 24 ELSE 48 END) NOT VALID;
ALTER TABLE sessions DROP CONSTRAINT sessions_browser_check, ADD CONSTRAINT sessions_browser_check CHECK (browser IN ('chrome', 'edge', 'firefox', 'opera', 'safari', 'other')) NOT VALID;
ALTER TABLE sessions DROP CONSTRAINT sessions_system_check, ADD CONSTRAINT sessions_system_check CHECK (system IN ('android', 'ios', 'linux', 'macos', 'windows', 'other')) NOT VALID;
ALTER TABLE reviews DROP CONSTRAINT reviews_after_rejection_check, ADD CONSTRAINT reviews_after_rejection_check CHECK (NOT after_rejection OR (reviewer_kind = 'human' AND NOT counts)) NOT VALID;
ALTER TABLE chain_quorums DROP CONSTRAINT chain_quorums_validators_check, ADD CONSTRAINT chain_quorums_validators_check CHECK (validators BETWEEN 0 AND 32) NOT VALID;
ALTER TABLE challenges DROP CONSTRAINT challenges_checks_check, ADD CONSTRAINT challenges_checks_check CHECK (checks BETWEEN 0 AND 3) NOT VALID;
