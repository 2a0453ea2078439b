// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {Fate, PanelBook, StakeBook, TaskBook} from "./Books.sol";
import {Cash} from "./Cash.sol";

/// @dev The preconditions and effects of each task and stake event. The origin is the zero address
/// where the log does not contain it.
abstract contract Rules is Cash {
    address internal immutable escrow;
    address internal immutable staking;
    address internal immutable treasury;
    address internal immutable rewards;
    address internal immutable treasurer;

    TaskBook[] internal tasks;
    StakeBook[] internal stakes;
    PanelBook[] internal panels;
    mapping(uint256 verdict => uint256 validators) private _signed;
    mapping(address account => uint256) public claimed;
    uint256 public liveAmount;
    uint256 public stakedAmount;
    uint256 internal undecidedStakes;
    bool public paused;

    constructor(
        address escrow_,
        address staking_,
        address treasury_,
        address rewards_,
        address treasurer_
    ) {
        (escrow, staking, treasury, rewards) = (escrow_, staking_, treasury_, rewards_);
        treasurer = treasurer_;
        isCustodian[escrow_] = true;
        isCustodian[staking_] = true;
        isCustodian[treasury_] = true;
        isCustodian[rewards_] = true;
        // Ids start at 1, and panel 0 is empty.
        tasks.push();
        stakes.push();
        panels.push();
    }

    /// @dev Records that `validators` signed a verdict in the current round.
    function sign(uint256 taskId, bool approved, uint256 validators) external {
        _signed[_verdict(taskId, approved)] |= validators;
    }

    /// @dev Records that the owner replaced the current panel.
    function seat(uint256 validators, uint256 quorum) external {
        panels.push(PanelBook(validators, quorum));
    }

    // Tasks.

    function _post(uint256 taskId, address agent, uint256 amount, uint16 feeBasisPoints) internal {
        _require(!paused, "posted while paused");
        _require(taskId == tasks.length, "task ids not consecutive");
        _require(feeBasisPoints <= 2000, "fee above the maximum");
        TaskBook storage task = tasks.push();
        (task.agent, task.deposited, task.live) = (agent, amount, amount);
        (task.feeBasisPoints, task.status) = (feeBasisPoints, IEscrow.Status.Posted);
        liveAmount += amount;
        _expectCharge(escrow, amount);
    }

    function _accept(uint256 taskId, address human, uint256 applicationId) internal {
        TaskBook storage task = _task(taskId, IEscrow.Status.Posted, IEscrow.Status.Posted);
        StakeBook storage stake = _stake(applicationId, IApplicationStaking.StakeStatus.Locked);
        _require(stake.taskId == taskId && stake.human == human, "accepted another application");
        _require(block.timestamp < stake.expiresAt, "accepted an expired application");
        stake.status = IApplicationStaking.StakeStatus.Activated;
        (task.status, task.human) = (IEscrow.Status.Active, human);
        (task.applicationId, task.panel) = (applicationId, panels.length - 1);
    }

    function _submit(uint256 taskId, address caller) internal {
        TaskBook storage task = _task(taskId, IEscrow.Status.Active, IEscrow.Status.Active);
        _require(caller == task.human, "submitted by another account");
        task.status = IEscrow.Status.Submitted;
        (task.submittedAt, task.lastActivityAt) = (block.timestamp, block.timestamp);
    }

    function _approve(uint256 taskId) internal {
        TaskBook storage task = _delivered(taskId);
        _require(!task.approved, "approved twice");
        (task.approved, task.lastActivityAt) = (true, block.timestamp);
    }

    function _dispute(uint256 taskId, address caller) internal {
        TaskBook storage task = _task(taskId, IEscrow.Status.Submitted, IEscrow.Status.Submitted);
        _require(caller == task.agent || caller == task.human, "disputed by a stranger");
        _require(!task.approved, "disputed after approval");
        _require(block.timestamp < task.submittedAt + 24 hours, "disputed after the window");
        task.disputedBy = caller == task.agent ? IEscrow.Party.Agent : IEscrow.Party.Human;
        (task.status, task.lastActivityAt) = (IEscrow.Status.Disputed, block.timestamp);
    }

    function _rule(uint256 taskId, bool approved) internal {
        TaskBook storage task = _delivered(taskId);
        PanelBook storage panel = panels[task.panel];
        uint256 votes = _count(_signed[_verdict(taskId, approved)] & panel.validators);
        _require(votes >= panel.quorum, "ruled without a quorum");
        _require(approved || !task.approved, "rejected after approval");
        bool early = task.disputedBy == IEscrow.Party.Agent
            || (task.disputedBy == IEscrow.Party.None && task.approved);
        uint256 opensAt = early ? task.lastActivityAt : task.submittedAt + 24 hours;
        _require(block.timestamp >= opensAt, "ruled before the round");
        _require(block.timestamp < dueOf(taskId), "ruled after the round");
        task.ruled = true;
    }

    function _release(uint256 taskId, address human, uint256 paid, uint256 fee, address by)
        internal
    {
        TaskBook storage task = _delivered(taskId);
        bool validatorsOwe = task.approved || task.disputedBy == IEscrow.Party.Agent;
        uint256 dueAt = validatorsOwe ? dueOf(taskId) : task.lastActivityAt + 37 days;
        // The human can release the payment after 30 days; all other accounts after 37 days.
        bool ofHuman = by == address(0) || by == task.human;
        if (!validatorsOwe && ofHuman) dueAt = task.lastActivityAt + 30 days;
        _require(task.ruled || block.timestamp >= dueAt, "released too early");
        _require(human == task.human, "released to another account");
        _require(fee == task.deposited * task.feeBasisPoints / 10_000, "not the posted fee");
        _require(paid + fee == task.live, "released another amount");
        _end(task, IEscrow.Status.Released, Fate.Return);
        (task.paid, task.fee) = (paid, fee);
        _promise(escrow, task.human, paid);
        _promise(escrow, treasury, fee);
    }

    function _refund(uint256 taskId, uint256 amount) internal {
        TaskBook storage task = _delivered(taskId);
        _require(task.ruled, "refunded without a verdict");
        _repay(task, amount, IEscrow.Status.Refunded, Fate.Forfeit);
    }

    function _cancel(uint256 taskId, uint256 amount, uint256 fee, address by) internal {
        TaskBook storage task = _task(taskId, IEscrow.Status.Posted, IEscrow.Status.Active);
        bool party = by == task.agent || by == task.human;
        _require(by == address(0) || party, "cancelled by a stranger");
        _require(fee == 0, "a fee on a cancelled task");
        _repay(task, amount, IEscrow.Status.Cancelled, Fate.Return);
    }

    function _repay(TaskBook storage task, uint256 amount, IEscrow.Status status, Fate fate)
        private
    {
        _require(amount == task.live, "refunded another amount");
        _end(task, status, fate);
        task.refunded = amount;
        _promise(escrow, task.agent, amount);
    }

    function _end(TaskBook storage task, IEscrow.Status status, Fate fate) private {
        liveAmount -= task.live;
        (task.live, task.status) = (0, status);
        if (task.applicationId == 0) return;
        stakes[task.applicationId].fate = fate;
        ++undecidedStakes;
    }

    // Stakes.

    function _lock(
        uint256 applicationId,
        uint256 taskId,
        address human,
        uint256 amount,
        uint256 expiresAt
    ) internal {
        TaskBook storage task = _task(taskId, IEscrow.Status.Posted, IEscrow.Status.Posted);
        _require(!paused, "applied while paused");
        _require(applicationId == stakes.length, "application ids not consecutive");
        _require(human != task.agent, "the agent applied");
        _require(amount == _stakeFor(task.live), "not the required stake");
        _require(expiresAt == block.timestamp + 7 days, "lifetime not seven days");
        IApplicationStaking.StakeStatus status = IApplicationStaking.StakeStatus.Locked;
        stakes.push(StakeBook(human, taskId, amount, expiresAt, status, Fate.Open));
        stakedAmount += amount;
        _expectCharge(staking, amount);
    }

    /// @dev Records the return of a stake: at the end of its task, after its expiry, or after the
    /// task has left the Posted status.
    function _return(uint256 applicationId, uint256 amount) internal {
        StakeBook storage stake = stakes[applicationId];
        bool decided = block.timestamp >= stake.expiresAt
            || tasks[stake.taskId].status != IEscrow.Status.Posted;
        bool locked = stake.status == IApplicationStaking.StakeStatus.Locked;
        _require(locked ? decided : stake.fate == Fate.Return, "stake must not be returned");
        _payStake(stake, amount, stake.human);
    }

    function _withdraw(uint256 applicationId, uint256 amount, address by) internal {
        StakeBook storage stake = _stake(applicationId, IApplicationStaking.StakeStatus.Locked);
        _require(by == address(0) || by == stake.human, "withdrawn by another account");
        _payStake(stake, amount, stake.human);
    }

    function _reject(uint256 applicationId, address by) internal {
        StakeBook storage stake = _stake(applicationId, IApplicationStaking.StakeStatus.Locked);
        TaskBook storage task = tasks[stake.taskId];
        _require(by == address(0) || by == task.agent, "rejected by another account");
        _require(task.status == IEscrow.Status.Posted, "rejected when not posted");
        _require(block.timestamp < stake.expiresAt, "rejected after expiry");
        stake.fate = Fate.Forfeit;
        ++undecidedStakes;
    }

    function _forfeit(uint256 applicationId, uint256 amount) internal {
        StakeBook storage stake = stakes[applicationId];
        _require(stake.fate == Fate.Forfeit, "stake must not be forfeited");
        _payStake(stake, amount, treasury);
    }

    function _payStake(StakeBook storage stake, uint256 amount, address payee) private {
        bool ended = stake.status == IApplicationStaking.StakeStatus.Ended;
        if (ended || amount != stake.amount) return _fault("not the locked stake paid");
        if (stake.fate != Fate.Open) --undecidedStakes;
        (stake.amount, stake.fate) = (0, Fate.Open);
        stake.status = IApplicationStaking.StakeStatus.Ended;
        stakedAmount -= amount;
        _promise(staking, payee, amount);
    }

    // Other funds.

    function _spend(address to, uint256 amount, address by) internal {
        _require(by == treasurer, "treasury: not the owner");
        _promise(treasury, to, amount);
    }

    function _reward(address account, uint256 amount, uint256 cumulative) internal {
        claimed[account] += amount;
        _require(claimed[account] == cumulative, "wrong cumulative amount");
        _promise(rewards, account, amount);
    }

    // Views.

    function taskCount() external view returns (uint256) {
        return tasks.length - 1;
    }

    function taskBook(uint256 taskId) external view returns (TaskBook memory) {
        return tasks[taskId];
    }

    function applicationCount() external view returns (uint256) {
        return stakes.length - 1;
    }

    function stakeBook(uint256 applicationId) external view returns (StakeBook memory) {
        return stakes[applicationId];
    }

    function panelCount() external view returns (uint256) {
        return panels.length - 1;
    }

    function panelBook(uint256 panel) external view returns (PanelBook memory) {
        return panels[panel];
    }

    /// @dev Returns the time from which verdicts are rejected, or 0 if no work is submitted.
    function dueOf(uint256 taskId) public view returns (uint256) {
        TaskBook storage task = tasks[taskId];
        bool delivered =
            task.status == IEscrow.Status.Submitted || task.status == IEscrow.Status.Disputed;
        if (!delivered) return 0;
        if (task.approved) return task.lastActivityAt + 72 hours;
        bool byAgent = task.disputedBy == IEscrow.Party.Agent;
        return task.lastActivityAt + (byAgent ? 120 hours : 30 days);
    }

    function _delivered(uint256 taskId) private returns (TaskBook storage) {
        return _task(taskId, IEscrow.Status.Submitted, IEscrow.Status.Disputed);
    }

    /// @dev Returns the task, which must have one of the two statuses.
    function _task(uint256 taskId, IEscrow.Status one, IEscrow.Status other)
        private
        returns (TaskBook storage task)
    {
        if (taskId >= tasks.length) {
            _fault("no such task");
            return tasks[0];
        }
        task = tasks[taskId];
        _require(task.status == one || task.status == other, "wrong status of the task");
    }

    function _stake(uint256 applicationId, IApplicationStaking.StakeStatus status)
        private
        returns (StakeBook storage stake)
    {
        if (applicationId >= stakes.length) {
            _fault("no such application");
            return stakes[0];
        }
        stake = stakes[applicationId];
        _require(stake.status == status, "wrong status of the stake");
    }

    function _verdict(uint256 taskId, bool approved) private view returns (uint256) {
        bool review = tasks[taskId].disputedBy == IEscrow.Party.None;
        return taskId * 4 + (review ? 0 : 2) + (approved ? 1 : 0);
    }

    /// @dev Returns the required stake: 5 % of the amount, at least 0.001 and at most 10 tokens.
    function _stakeFor(uint256 amount) private pure returns (uint256) {
        uint256 share = amount / 20;
        return share < 0.001 ether ? 0.001 ether : share > 10 ether ? 10 ether : share;
    }

    function _count(uint256 bits) private pure returns (uint256 count) {
        for (; bits != 0; bits &= bits - 1) {
            ++count;
        }
    }
}
