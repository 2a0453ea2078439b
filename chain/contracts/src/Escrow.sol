// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Administration} from "./Administration.sol";
import {ApplicationStaking} from "./ApplicationStaking.sol";
import {TokenCustody} from "./TokenCustody.sol";
import {IApplicationStaking} from "./interfaces/IApplicationStaking.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {Verdicts} from "./libraries/Verdicts.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Task payments, from posting to payout
/// @dev Every external function lists the statuses from which it can be called. Every end sets the
/// amount to zero and the final status before the first transfer.
contract Escrow is IEscrow, EIP712, TokenCustody, Administration {
    using SafeCast for uint256;

    /// @dev Three slots: the values fixed at posting, the values that change later, and the work.
    /// The second slot is full, so each transition writes one slot (submission also writes the
    /// third). 16 bits for panels and 40 bits for applications cannot be exhausted in practice. The
    /// human is read from the application. The time of a dispute is stored in `lastActivityAt`:
    /// after a dispute only an approval changes it, and then the time of the dispute is no longer
    /// needed.
    struct Task {
        address agent;
        uint16 feeBasisPoints;
        uint96 amount; // start of the second slot
        uint40 applicationId;
        uint40 submittedAt;
        uint40 lastActivityAt;
        uint16 panel;
        Status status;
        Party disputedBy;
        bool agentApproved;
        bytes32 workHash;
    }

    /// @inheritdoc IEscrow
    uint256 public constant override MINIMUM_ESCROW = 0.01 ether;
    /// @inheritdoc IEscrow
    uint256 public constant override DISPUTE_WINDOW = 24 hours;
    /// @inheritdoc IEscrow
    uint256 public constant override APPROVAL_DELAY = 72 hours;
    /// @inheritdoc IEscrow
    uint256 public constant override AGENT_DISPUTE_DELAY = 120 hours;
    /// @inheritdoc IEscrow
    uint256 public constant override EMERGENCY_DELAY = 30 days;
    /// @inheritdoc IEscrow
    uint256 public constant override SETTLE_DELAY = 37 days;

    /// @inheritdoc IEscrow
    IApplicationStaking public immutable override applicationStaking;
    /// @inheritdoc IEscrow
    address public immutable override treasury;

    uint64 private _taskCount;
    mapping(uint256 taskId => Task) private _tasks;

    /// @notice Deploys the escrow and its `ApplicationStaking`.
    /// @param token_ A plain ERC-20: no fee on transfer, no rebase, no hooks.
    /// @param validators The members of the first panel; `quorum` is its quorum.
    constructor(
        IERC20 token_,
        address treasury_,
        address owner_,
        address guardian_,
        uint16 feeBasisPoints,
        address[] memory validators,
        uint8 quorum
    )
        EIP712("TaskmarketEscrow", "1")
        TokenCustody(token_)
        Administration(owner_, guardian_, feeBasisPoints, validators, quorum)
    {
        if (treasury_ == address(0) || guardian_ == address(0)) {
            revert ZeroAddress();
        }
        treasury = treasury_;
        applicationStaking = new ApplicationStaking(this, token_, treasury_);
    }

    modifier onlyAgent(uint256 taskId) {
        if (msg.sender != _tasks[taskId].agent) revert NotTheAgent(taskId, msg.sender);
        _;
    }

    /// @inheritdoc IEscrow
    function postTaskWithPermit(
        uint256 amount,
        uint16 feeBasisPoints,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant whenNotPaused returns (uint256 taskId) {
        _tryPermit(amount, deadline, v, r, s);
        return _post(amount, feeBasisPoints, 0);
    }

    /// @inheritdoc IEscrow
    function postTaskWithPermit(
        uint256 amount,
        uint16 feeBasisPoints,
        bytes32 termsHash,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant whenNotPaused returns (uint256 taskId) {
        _tryPermit(amount, deadline, v, r, s);
        return _post(amount, feeBasisPoints, termsHash);
    }

    /// @inheritdoc IEscrow
    function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash)
        external
        nonReentrant
        whenNotPaused
        returns (uint256 taskId)
    {
        return _post(amount, feeBasisPoints, termsHash);
    }

    /// @inheritdoc IEscrow
    function acceptApplicationForTask(uint256 taskId, uint256 applicationId)
        external
        nonReentrant
        onlyAgent(taskId)
    {
        Task storage task = _tasks[taskId];
        // Check: a validator may have become a party after posting or applying. It must not judge
        // its own task.
        _requirePosted(taskId, task);
        address human = applicationStaking.getStakeHuman(applicationId);
        if (isValidator(msg.sender)) revert ValidatorIsParty(msg.sender);
        if (isValidator(human)) revert ValidatorIsParty(human);
        // Effect
        task.panel = panel().toUint16();
        task.applicationId = applicationId.toUint40();
        task.status = Status.Active;
        emit TaskCreated(taskId, msg.sender, human, task.amount, task.feeBasisPoints);
        emit TaskCreatedWithApplication(taskId, applicationId, msg.sender);
        // Interaction: the staking contract reverts unless the application is live for this task.
        // slither-disable-next-line unused-return: the human is already known
        applicationStaking.activateStake(applicationId, taskId);
    }

    /// @inheritdoc IEscrow
    /// @dev The parameter is named as in the clients' ABI and shadows the view of that name.
    function submitTask(uint256 taskId, bytes32 workHash) external nonReentrant {
        Task storage task = _tasks[taskId];
        // Check
        if (task.status != Status.Active) revert WrongStatus(taskId, task.status);
        if (msg.sender != _humanOf(task)) revert NotTheHuman(taskId, msg.sender);
        if (workHash == 0) revert EmptyWorkHash(taskId);
        // Effect
        uint40 submittedAt = block.timestamp.toUint40();
        task.status = Status.Submitted;
        task.submittedAt = submittedAt;
        task.lastActivityAt = submittedAt;
        task.workHash = workHash;
        emit TaskSubmitted(taskId, msg.sender, task.agent, submittedAt);
        emit WorkCommitted(taskId, workHash);
    }

    /// @inheritdoc IEscrow
    function agentApproveTask(uint256 taskId) external nonReentrant onlyAgent(taskId) {
        Task storage task = _tasks[taskId];
        // Check
        _requireDelivered(taskId, task);
        if (task.agentApproved) revert AgentHasApproved(taskId);
        // Effect
        task.agentApproved = true;
        task.lastActivityAt = block.timestamp.toUint40();
        emit AgentApproved(taskId, msg.sender, _humanOf(task));
    }

    /// @inheritdoc IEscrow
    function disputeTask(uint256 taskId) external nonReentrant {
        Task storage task = _tasks[taskId];
        // Check
        Party party = _partyOf(taskId, task);
        if (task.status != Status.Submitted) revert WrongStatus(taskId, task.status);
        if (task.agentApproved) revert AgentHasApproved(taskId);
        uint256 closesAt = task.submittedAt + DISPUTE_WINDOW;
        if (block.timestamp >= closesAt) revert DisputeWindowClosed(taskId, closesAt);
        // Effect
        uint40 disputedAt = block.timestamp.toUint40();
        task.status = Status.Disputed;
        task.disputedBy = party;
        task.lastActivityAt = disputedAt;
        emit TaskDisputed(taskId, msg.sender, task.agent, disputedAt);
    }

    /// @inheritdoc IEscrow
    function approveSubmission(uint256 taskId, bytes[] calldata signatures) external nonReentrant {
        Task storage task = _tasks[taskId];
        // Check
        _requireVerdict(taskId, task, true, signatures);
        // Effect and interaction
        address human = _humanOf(task);
        emit SubmissionApproved(taskId, task.agent, human);
        _release(taskId, task, human);
    }

    /// @inheritdoc IEscrow
    function rejectSubmission(uint256 taskId, bytes[] calldata signatures) external nonReentrant {
        Task storage task = _tasks[taskId];
        // Check
        _requireVerdict(taskId, task, false, signatures);
        // Effect
        address human = _humanOf(task);
        emit SubmissionRejected(taskId, task.agent, human);
        (address agent, uint256 amount) = _end(task, Status.Refunded);
        emit TaskRefunded(taskId, agent, human, amount);
        // Interaction
        applicationStaking.forfeitStake(task.applicationId);
        _pay(agent, amount);
    }

    /// @inheritdoc IEscrow
    function cancelTask(uint256 taskId) external nonReentrant {
        Task storage task = _tasks[taskId];
        // Check
        bool active = task.status == Status.Active;
        if (!active && task.status != Status.Posted) revert WrongStatus(taskId, task.status);
        address human = active ? _humanOf(task) : address(0);
        if (msg.sender != task.agent && msg.sender != human) revert NotAParty(taskId, msg.sender);
        // Effect
        (address agent, uint256 amount) = _end(task, Status.Cancelled);
        emit TaskCancelled(taskId, agent, human, amount, 0);
        // Interaction
        if (active) applicationStaking.returnStake(task.applicationId);
        _pay(agent, amount);
    }

    /// @inheritdoc IEscrow
    function settle(uint256 taskId) external nonReentrant {
        Task storage task = _tasks[taskId];
        // Check: the validators' timeout or the final timeout has passed.
        _requireDelivered(taskId, task);
        bool validatorsOwe = task.agentApproved || task.disputedBy == Party.Agent;
        _requireDue(taskId, validatorsOwe ? _dueOf(task) : task.lastActivityAt + SETTLE_DELAY);
        // Effect and interaction
        _release(taskId, task, _humanOf(task));
    }

    /// @inheritdoc IEscrow
    function emergencyRelease(uint256 taskId) external nonReentrant {
        Task storage task = _tasks[taskId];
        address human = _humanOf(task);
        // Check
        _requireDelivered(taskId, task);
        if (msg.sender != human) revert NotTheHuman(taskId, msg.sender);
        _requireDue(taskId, task.lastActivityAt + EMERGENCY_DELAY);
        // Effect and interaction
        _release(taskId, task, human);
    }

    /// @inheritdoc IEscrow
    function getTask(uint256 taskId) external view returns (TaskView memory) {
        Task storage task = _tasks[taskId];
        return TaskView({
            agent: task.agent,
            human: _humanOf(task),
            amount: task.amount,
            feeBasisPoints: task.feeBasisPoints,
            status: uint8(task.status),
            agentApproved: task.agentApproved,
            submittedAt: task.submittedAt,
            disputeDeadline: task.submittedAt == 0 ? 0 : task.submittedAt + DISPUTE_WINDOW,
            lastActivityAt: task.lastActivityAt,
            applicationId: task.applicationId
        });
    }

    /// @inheritdoc IEscrow
    function offerOf(uint256 taskId) public view returns (address agent, uint256 amount) {
        Task storage task = _tasks[taskId];
        return (task.agent, task.status == Status.Posted ? task.amount : 0);
    }

    /// @inheritdoc IEscrow
    function offerTo(address applicant, uint256 taskId)
        external
        view
        whenNotPaused
        returns (address agent, uint256 amount)
    {
        if (isValidator(applicant)) revert ValidatorIsParty(applicant);
        return offerOf(taskId);
    }

    /// @inheritdoc IEscrow
    function verdictDigest(uint256 taskId, bool approved) external view returns (bytes32) {
        return _verdictDigest(taskId, _tasks[taskId], approved);
    }

    /// @inheritdoc IEscrow
    function due(uint256 taskId) external view returns (uint256) {
        Task storage task = _tasks[taskId];
        return _isDelivered(task) ? _dueOf(task) : 0;
    }

    /// @inheritdoc IEscrow
    function workHash(uint256 taskId) external view returns (bytes32) {
        return _tasks[taskId].workHash;
    }

    /// @inheritdoc IEscrow
    function panelOf(uint256 taskId) external view returns (uint256) {
        return _tasks[taskId].panel;
    }

    /// @inheritdoc IEscrow
    function disputedBy(uint256 taskId) external view returns (Party) {
        return _tasks[taskId].disputedBy;
    }

    /// @inheritdoc IEscrow
    function taskCount() external view returns (uint256) {
        return _taskCount;
    }

    function _post(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash)
        private
        returns (uint256 taskId)
    {
        // Check
        if (amount < MINIMUM_ESCROW) revert AmountBelowMinimum(amount, MINIMUM_ESCROW);
        uint16 inForce = platformFeeBasisPoints;
        if (feeBasisPoints != inForce) revert FeeMismatch(feeBasisPoints, inForce);
        if (isValidator(msg.sender)) revert ValidatorIsParty(msg.sender);
        // Effect
        taskId = ++_taskCount;
        Task storage task = _tasks[taskId];
        task.agent = msg.sender;
        task.amount = amount.toUint96();
        task.feeBasisPoints = feeBasisPoints;
        task.status = Status.Posted;
        emit TaskPosted(taskId, msg.sender, amount, feeBasisPoints);
        if (termsHash != 0) emit TaskTerms(taskId, termsHash);
        // Interaction
        _charge(amount);
    }

    /// @dev Pays the human, and the fee to the treasury; returns the stake.
    function _release(uint256 taskId, Task storage task, address human) private {
        // Effect
        (address agent, uint256 amount) = _end(task, Status.Released);
        uint256 fee = amount * task.feeBasisPoints / 10_000;
        emit TaskReleased(taskId, human, agent, amount - fee, fee);
        // Interaction
        applicationStaking.returnStake(task.applicationId);
        _pay(human, amount - fee);
        _pay(treasury, fee);
    }

    /// @dev The only transition into a final status: sets the amount to zero and stores the status.
    function _end(Task storage task, Status status)
        private
        returns (address agent, uint256 amount)
    {
        (agent, amount) = (task.agent, task.amount);
        task.amount = 0;
        task.status = status;
    }

    function _requirePosted(uint256 taskId, Task storage task) private view {
        if (task.status != Status.Posted) revert WrongStatus(taskId, task.status);
    }

    function _requireDelivered(uint256 taskId, Task storage task) private view {
        if (!_isDelivered(task)) revert WrongStatus(taskId, task.status);
    }

    function _requireDue(uint256 taskId, uint256 dueAt) private view {
        if (block.timestamp < dueAt) revert NotDue(taskId, dueAt);
    }

    /// @dev Requires that the round is open and that a quorum of the task's panel signed.
    function _requireVerdict(
        uint256 taskId,
        Task storage task,
        bool approved,
        bytes[] calldata signatures
    ) private view {
        _requireDelivered(taskId, task);
        // An approval by the agent is consent to the payment.
        if (!approved && task.agentApproved) revert AgentHasApproved(taskId);
        uint256 opensAt = _reviewOpensAt(task);
        if (block.timestamp < opensAt) revert ReviewNotOpen(taskId, opensAt);
        uint256 closesAt = _dueOf(task);
        if (block.timestamp >= closesAt) revert ReviewClosed(taskId, closesAt);
        _requireQuorum(taskId, task.panel, _verdictDigest(taskId, task, approved), signatures);
    }

    function _requireQuorum(
        uint256 taskId,
        uint256 panelNumber,
        bytes32 digest,
        bytes[] calldata signatures
    ) private view {
        uint256 quorum = quorumOf(panelNumber);
        if (signatures.length > MAX_VALIDATORS) {
            revert TooManySignatures(signatures.length, MAX_VALIDATORS);
        }
        if (signatures.length < quorum) revert QuorumNotReached(signatures.length, quorum);
        address previous = address(0);
        for (uint256 i = 0; i < signatures.length; ++i) {
            address signer = Verdicts.signerOf(digest, signatures[i]);
            if (signer == address(0)) revert InvalidSignature(i);
            if (signer <= previous) revert SignersNotAscending(i);
            if (!validatorIn(signer, panelNumber)) revert NotAValidatorOfTask(taskId, signer);
            previous = signer;
        }
    }

    /// @dev The time at which verdicts on submitted work expire and a timeout may pay instead.
    function _dueOf(Task storage task) private view returns (uint256) {
        if (task.agentApproved) return task.lastActivityAt + APPROVAL_DELAY;
        if (task.disputedBy == Party.Agent) return task.lastActivityAt + AGENT_DISPUTE_DELAY;
        return task.lastActivityAt + EMERGENCY_DELAY;
    }

    /// @dev Only the agent's own dispute shortens the agent's time to respond. After the human's
    /// dispute, an early approval by the agent does not open the round early either.
    function _reviewOpensAt(Task storage task) private view returns (uint256) {
        bool byAgent =
            task.disputedBy == Party.Agent || (task.disputedBy == Party.None && task.agentApproved);
        return byAgent ? task.lastActivityAt : task.submittedAt + DISPUTE_WINDOW;
    }

    function _verdictDigest(uint256 taskId, Task storage task, bool approved)
        private
        view
        returns (bytes32)
    {
        uint8 round = task.disputedBy == Party.None ? 0 : 1;
        return _hashTypedDataV4(Verdicts.structHash(taskId, task.workHash, round, approved));
    }

    function _isDelivered(Task storage task) private view returns (bool) {
        return task.status == Status.Submitted || task.status == Status.Disputed;
    }

    function _partyOf(uint256 taskId, Task storage task) private view returns (Party) {
        if (msg.sender == task.agent) return Party.Agent;
        if (msg.sender == _humanOf(task)) return Party.Human;
        revert NotAParty(taskId, msg.sender);
    }

    function _humanOf(Task storage task) private view returns (address) {
        if (task.applicationId == 0) return address(0);
        return applicationStaking.getStakeHuman(task.applicationId);
    }
}
