package schema

import "strings"

// DataClass states what happens to a column's values when an account is exported and erased.
type DataClass string

// The classes of columns.
const (
	// DataPersonal is exported, and replaced or deleted by an erasure.
	DataPersonal DataClass = "personal"
	// DataContract is exported. It is replaced or deleted market.ContractRetention after an erasure if
	// it is part of a contract with another user, and at once otherwise.
	DataContract DataClass = "contract"
	// DataRecord is exported and stays: ids, times, amounts, decisions and ratings, which name no
	// person once the profile is erased, and statements of reasons.
	DataRecord DataClass = "record"
	// DataChain is exported and stays: anyone can read it on the chain.
	DataChain DataClass = "chain"
	// DataSecret is never exported. It is deleted or replaced by an erasure, or after a day at most.
	DataSecret DataClass = "secret"
	// DataInternal is neither exported nor erased: it is not about an account, is derived from other
	// columns, is deleted after its retention period, or names an operator.
	DataInternal DataClass = "internal"
)

// personalData lists the columns of every table by class. A test compares it with the schema, so that a
// new column cannot be forgotten.
var personalData = map[string]map[DataClass]string{
	"activities": {
		DataRecord:   "id audience_id audience_kind type kind actor amount related_id status created_at reverted_kind",
		DataChain:    "tx_hash chain_id block_hash block_number",
		DataInternal: "dedupe_key",
	},
	"activity_counts": {DataInternal: "audience_id type items"},
	"agents": { //nolint:gosec // names of columns, not credentials
		DataRecord: "id kind",
		// The prefix is part of the key.
		DataSecret:   "key_hash key_prefix",
		DataPersonal: "key_rotated_at key_recovered_at",
	},
	"appeals": {
		DataPersonal: "statement",
		DataRecord:   "id decision_id imposed_at created_at outcome reasons decided_at",
		DataInternal: "first_decider decided_by",
	},
	"applications": {
		DataPersonal: "message",
		DataContract: "rejection_reason",
		DataRecord:   "id task_id human_id decision status turns_at created_at",
		DataChain:    "stake_amount stake_tx stake_ordinal onchain_application_id chain_id escrow",
	},
	"audit_log": {
		// These columns stay for the retention period of the audit log, which is append-only.
		DataRecord:   "id created_at kind account_id network request_id subject_kind subject detail count",
		DataInternal: "operator",
	},
	// account_hash is a hash, stored while a measure is in force or a report is open.
	"barred_links":     {DataInternal: "user_id account_hash created_at"},
	"chain_blocks":     {DataInternal: "chain_id hash number parent time canonical"},
	"chain_findings":   {DataInternal: "chain_id escrow kind id block_number difference found_at"},
	"chain_head":       {DataInternal: "chain_id number hash parent time safe finalized holder epoch lease_until"},
	"chain_logs":       {DataInternal: "chain_id block_hash log_index block_number block_time tx_hash tx_index address topics data kind task_id application_id event canonical"},
	"chain_parameters": {DataInternal: "chain_id escrow fee_basis_points from_panels panel panel_sizes paused quorums"},
	"chain_quorums":    {DataInternal: "chain_id escrow from_panel quorum validators"},
	"chain_rereads":    {DataInternal: "chain_id number reason requested_at"},
	"chain_validators": {DataInternal: "chain_id escrow wallet added_in removed_in"},
	"challenges":       {DataSecret: "hash purpose wallet profile created_at expires_at checks"}, //nolint:gosec // as above
	"changed_records":  {DataInternal: "tx kind subject_id leads status human_id escrow_task_id changed_block"},
	"claims": {
		DataRecord: "id agent_id amount karma_snapshot status created_at given_up",
		DataChain:  "tx_hash chain_id distributor wallet base paid",
	},
	"console_links":    {DataInternal: "token_hash operator role expires_at"},
	"console_sessions": {DataInternal: "id_hash operator role by_proxy created_at used_at expires_at"},
	"conversations": {
		DataRecord: "id agent_id human_id agent_unread human_unread created_at updated_at",
		// A member must not learn of the other member's settings.
		DataInternal: "agent_requested agent_muted agent_blocked human_requested human_muted human_blocked",
	},
	"direct_messages": {
		DataPersonal: "content",
		DataRecord:   "id conversation_id sender_kind created_at read_at visibility",
		DataInternal: "measure_id",
	},
	"disputes": {
		DataContract: "reason response",
		DataRecord:   "id task_id filed_by responded_at created_at response_id",
	},
	"erasures": {
		DataRecord:   "id account_id requested_by erased_at contracts_erased_at",
		DataInternal: "listed",
	},
	"event_log": {DataInternal: "alone epoch swept"},
	"events":    {DataInternal: "id audience_id kind subject_id task_id status created_at"},
	"files": {
		DataContract: "filename content_type size sha256",
		DataRecord:   "id task_id uploader_id uploader_kind created_at visibility",
		DataInternal: "measure_id",
	},
	"humans": {
		DataPersonal: "skills location remote hourly_rate available adult_at",
		DataRecord:   "id kind rating listed",
		DataInternal: "place search verified",
	},
	// A stored response can contain personal data, for market.IdempotencyLifetime.
	"idempotency_keys": {DataSecret: "scope request_hash record_id held_until status body created_at expires_at account_id"},
	"keeper_lease":     {DataInternal: "chain_id holder account epoch lease_until limited_at"},
	"keeper_spending":  {DataInternal: "chain_id sender nonce tx_hash most paid signed_at replacements replaced"},
	"moderation_decisions": {
		DataRecord: "id subject_kind subject_id author_id author_kind measure territory facts automation clause decided_at ended_at",
		// subject_text is a copy of the author's text, stored while an appeal is possible or open.
		DataInternal: "decided_by ended_by listed end_listed subject_text",
	},
	// The next two tables contain the wallet's records on the chain, to which the account's own records refer.
	"onchain_applications": {DataInternal: "chain_id escrow id task_id human agent amount expires_at status accepted rejected withdrawn locked_at ended_at locked_tx locked_ordinal locked_block locked_index"},
	"onchain_tasks": {DataInternal: "chain_id escrow id status agent human amount fee_basis_points terms_hash work_hash application_id panel agent_approved " +
		"disputed_by posted_at accepted_at submitted_at disputed_at approved_at last_activity_at ended_at settle_at verdict paid fee refund posted_tx " +
		"posted_ordinal posted_block posted_index accept_tx submit_tx end_tx cancelled_by"},
	"outbox":      {DataInternal: "id chain_id escrow kind dedupe_key payload gate state run_at attempts nonce tx_hash raw_tx error created_at sender resend"},
	"rate_limits": {DataInternal: "key tat"},
	"reports": {
		DataPersonal: "comment",
		DataRecord:   "id reporter_id reporter_kind subject_kind subject_id category created_at",
		// subject_text is the moderators' copy of the author's text, stored until the decision.
		DataInternal: "author_id decision_id subject_text rule record_id",
	},
	"reviews": {
		DataPersonal: "comment",
		DataRecord:   "id task_id reviewer_id reviewer_kind subject_id subject_kind rating counts created_at after_rejection",
	},
	"sessions": {
		DataSecret:   "id_hash",
		DataPersonal: "human_id created_at expires_at last_used_at network browser system",
	},
	"submission_files": {DataInternal: "submission_id file_id"},
	"submissions": {
		DataContract: "note proof_url",
		DataRecord:   "id task_id human_id created_at",
		DataChain:    "work_hash",
	},
	"task_messages": {
		DataPersonal: "content",
		DataRecord:   "id task_id sender_id sender_kind created_at read_at visibility",
		DataInternal: "measure_id",
	},
	"tasks": {
		DataContract: "title description skills location",
		DataRecord:   "id agent_id status human_id created_at updated_at lapsed_at visibility hold_rule hold_due_at erased_at",
		DataChain:    "remote amount fee_basis_points deadline terms_hash chain_id escrow claimed_tx claimed_ordinal escrow_task_id",
		DataInternal: "turns_at changed_block search place measure_id",
	},
	"usernames": {DataPersonal: "skeleton released_at", DataRecord: "user_id"},
	"users": {
		DataPersonal: "username name bio social_network social_handle social_account_id social_post_id social_posted_at verified_at former_username",
		DataRecord:   "id kind created_at updated_at reviews ratings stars account_state",
		DataChain:    "wallet",
		DataSecret:   "verification_code code_expires_at code_account linked_code",
		DataInternal: "measure_id",
	},
	"verdicts": {
		DataContract: "reason",
		DataRecord:   "id task_id round human_id approved created_at",
		DataChain:    "validator work_hash signature",
	},
}

// ColumnClasses returns the class of each column, by table and column.
func ColumnClasses() map[string]map[string]DataClass {
	classes := make(map[string]map[string]DataClass, len(personalData))
	for table, byClass := range personalData {
		classes[table] = make(map[string]DataClass)
		for class, columns := range byClass {
			for _, column := range strings.Fields(columns) {
				classes[table][column] = class
			}
		}
	}
	return classes
}
