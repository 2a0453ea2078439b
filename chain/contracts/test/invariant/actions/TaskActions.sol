// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {Signature} from "../../utils/Permits.sol";
import {bound, vm} from "../../utils/Vm.sol";
import {MoneyActions} from "./MoneyActions.sol";

/// @dev Actions of the parties up to the submission. An action that finds no suitable task first
/// performs the preceding steps, so that few calls are wasted.
abstract contract TaskActions is MoneyActions {
    uint256 private constant TRIES = 3;

    function post(uint256 seed) external acts(seed) {
        _post();
    }

    function applyFor(uint256 seed) external acts(seed) {
        _apply();
    }

    function withdrawStake(uint256 seed) external acts(seed) {
        uint256 id = _stakeIn(false);
        Stake storage stake = _stake(id);
        bool byHuman = _once(2);
        if (!byHuman && !_once(4)) _approach(stake.expiresAt);
        address caller = byHuman ? _mostly(stake.human) : _anyAccount();
        _withdraw(caller, id);
    }

    function rejectApplication(uint256 seed) external acts(seed) {
        uint256 id = _stakeIn(true);
        if (_once(10)) _approach(_stake(id).expiresAt);
        address caller = _mostly(_task(_stake(id).taskId).agent);
        bytes memory refusal = _applicationRejected(caller, id);
        _do(caller, address(staking), abi.encodeCall(staking.rejectApplication, (id)), refusal);
    }

    function accept(uint256 seed) external acts(seed) {
        _accept();
    }

    function submit(uint256 seed) external acts(seed) {
        _submit();
    }

    function agentApprove(uint256 seed) external acts(seed) {
        uint256 id = _delivered();
        address caller = _mostly(_task(id).agent);
        bytes memory refusal = _agentApproved(caller, id);
        _do(caller, address(escrow), abi.encodeCall(escrow.agentApproveTask, (id)), refusal);
    }

    function dispute(uint256 seed) external acts(seed) {
        if (!_once(6)) _submit();
        uint256 id = _taskIn(IEscrow.Status.Submitted, IEscrow.Status.Submitted);
        Task storage task = _task(id);
        if (_once(6)) _approach(task.submittedAt + 24 hours);
        address caller = _mostly(_once(3) ? task.human : task.agent);
        bytes memory refusal = _disputed(caller, id);
        _do(caller, address(escrow), abi.encodeCall(escrow.disputeTask, (id)), refusal);
    }

    /// @dev Cancels only occasionally, so that enough tasks reach later statuses.
    function cancel(uint256 seed) external acts(seed) {
        if (_once(2)) return _post();
        uint256 id = _taskIn(IEscrow.Status.Posted, IEscrow.Status.Active);
        Task storage task = _task(id);
        address caller = _mostly(_once(2) && task.human != address(0) ? task.human : task.agent);
        bytes memory refusal = _cancelled(caller, id);
        _do(caller, address(escrow), abi.encodeCall(escrow.cancelTask, (id)), refusal);
    }

    function _post() internal {
        _mostlyUnpause();
        address caller = _once(20) ? _anyAccount() : agents[_draw(agents.length)];
        uint256 amount = _amount();
        uint16 fee = _once(16) ? uint16(_draw(2001)) : rules.fee;
        uint256 kind = _draw(3);
        if (kind != 0) return _postWithPermit(caller, amount, fee, kind == 2);
        bytes32 terms = _once(2) ? bytes32(0) : bytes32(_draw(2 ** 128));
        _mostlyAllow(caller, address(escrow), amount);
        bytes memory call = abi.encodeCall(IEscrow.postTask, (amount, fee, terms));
        bytes memory refusal = _posted(caller, amount, fee, terms, Permit.None);
        _do(caller, address(escrow), call, refusal);
    }

    function _apply() internal {
        uint256 id = _taskIn(IEscrow.Status.Posted, IEscrow.Status.Posted);
        _applyAs(_applicant(id), id);
    }

    function _applyAs(address caller, uint256 id) internal {
        _mostlyUnpause();
        uint256 amount = _once(16) ? _draw(20 ether) : _requiredStake(id);
        if (_once(2)) return _applyWithPermit(caller, id, amount);
        _mostlyAllow(caller, address(staking), amount);
        bytes memory call = abi.encodeCall(staking.lockApplicationStake, (id, amount));
        _do(caller, address(staking), call, _applied(caller, id, amount, Permit.None));
    }

    function _withdraw(address caller, uint256 id) internal {
        bytes memory refusal = _stakeWithdrawn(caller, id);
        _do(caller, address(staking), abi.encodeCall(staking.withdrawStake, (id)), refusal);
    }

    function _accept() internal {
        uint256 applicationId = _stakeIn(true);
        uint256 id = _stake(applicationId).taskId;
        if (_once(6)) id = _findTask(IEscrow.Status.Posted, IEscrow.Status.Posted);
        if (_once(16)) _approach(_stake(applicationId).expiresAt);
        address caller = _mostly(_task(id).agent);
        bytes memory refusal = _accepted(caller, id, applicationId);
        bytes memory call = abi.encodeCall(escrow.acceptApplicationForTask, (id, applicationId));
        _do(caller, address(escrow), call, refusal);
    }

    function _submit() internal {
        uint256 id = _taskIn(IEscrow.Status.Active, IEscrow.Status.Active);
        address caller = _mostly(_task(id).human);
        bytes32 work = _once(16) ? bytes32(0) : bytes32(1 + _draw(2 ** 64));
        bytes memory refusal = _submitted(caller, id, work);
        _do(caller, address(escrow), abi.encodeCall(escrow.submitTask, (id, work)), refusal);
    }

    /// @dev Usually moves the clock to about `moment`, from one second before to an hour after it.
    function _approach(uint256 moment) internal {
        uint256 edge = _draw(6);
        if (edge == 0 || moment <= block.timestamp) return;
        uint256 late = edge > 3 ? _draw(1 hours) : edge;
        vm.warp(moment + late - 1);
    }

    function _delivered() internal returns (uint256) {
        return _taskIn(IEscrow.Status.Submitted, IEscrow.Status.Disputed);
    }

    /// @dev Returns a task in one of the two statuses, and creates one if necessary.
    function _taskIn(IEscrow.Status one, IEscrow.Status other) internal returns (uint256 id) {
        for (uint256 i = 0; i < TRIES; ++i) {
            id = _findTask(one, other);
            if (id != 0) return id;
            if (one == IEscrow.Status.Posted) _post();
            else if (one == IEscrow.Status.Active) _accept();
            else _submit();
        }
    }

    /// @dev Returns a locked stake, optionally one that the agent can still decide on, and creates
    /// one if necessary.
    function _stakeIn(bool decidable) internal returns (uint256 id) {
        for (uint256 i = 0; i < TRIES; ++i) {
            id = _findStake(decidable);
            if (id != 0) return id;
            _apply();
        }
    }

    /// @dev Returns a task in one of the two statuses, 0 if there is none, or occasionally an
    /// arbitrary id.
    function _findTask(IEscrow.Status one, IEscrow.Status other) internal returns (uint256) {
        if (_once(16)) return _draw(tasks.length + 1);
        uint256 start = _draw(tasks.length);
        for (uint256 i = 0; i < tasks.length; ++i) {
            uint256 id = (start + i) % tasks.length;
            IEscrow.Status status = tasks[id].status;
            if (status == one || status == other) return id;
        }
        return 0;
    }

    /// @dev Returns a locked stake, 0 if there is none, or occasionally an arbitrary id.
    function _findStake(bool decidable) internal returns (uint256) {
        if (_once(16)) return _draw(stakes.length + 1);
        uint256 start = _draw(stakes.length);
        for (uint256 i = 0; i < stakes.length; ++i) {
            uint256 id = (start + i) % stakes.length;
            Stake storage stake = stakes[id];
            if (stake.status != IApplicationStaking.StakeStatus.Locked) continue;
            if (!decidable || (_isPosted(stake.taskId) && !_isExpired(stake))) return id;
        }
        return 0;
    }

    /// @dev Returns one of the account's locked stakes, or 0 if it has none.
    function _stakeOf(address human) internal view returns (uint256) {
        for (uint256 id = stakes.length - 1; id > 0; --id) {
            bool locked = stakes[id].status == IApplicationStaking.StakeStatus.Locked;
            if (locked && stakes[id].human == human) return id;
        }
        return 0;
    }

    function _mostlyUnpause() internal virtual;

    function _postWithPermit(address caller, uint256 amount, uint16 fee, bool withTerms) private {
        SignedPermit memory permit = _permit(caller, address(escrow), amount);
        Signature memory signature = permit.signature;
        bytes32 terms = withTerms ? bytes32(_draw(2 ** 64)) : bytes32(0);
        bytes memory refusal = _posted(caller, amount, fee, terms, permit.kind);
        bytes memory call = withTerms
            ? abi.encodeWithSelector(
                POST_WITH_TERMS,
                amount,
                fee,
                terms,
                permit.deadline,
                signature.v,
                signature.r,
                signature.s
            )
            : abi.encodeWithSelector(
                POST_WITH_PERMIT,
                amount,
                fee,
                permit.deadline,
                signature.v,
                signature.r,
                signature.s
            );
        _do(caller, address(escrow), call, refusal);
    }

    function _applyWithPermit(address caller, uint256 id, uint256 amount) private {
        SignedPermit memory permit = _permit(caller, address(staking), amount);
        Signature memory signature = permit.signature;
        bytes memory refusal = _applied(caller, id, amount, permit.kind);
        bytes memory call = abi.encodeCall(
            staking.lockApplicationStakeWithPermit,
            (id, amount, permit.deadline, signature.v, signature.r, signature.s)
        );
        _do(caller, address(staking), call, refusal);
    }

    /// @dev Returns an account that usually has not applied yet.
    function _applicant(uint256 taskId) private returns (address human) {
        if (_once(20)) return _anyAccount();
        uint256 start = _draw(humans.length);
        for (uint256 i = 0; i < humans.length; ++i) {
            human = humans[(start + i) % humans.length];
            bool applied = latest[taskId][human] != 0 && !_once(8);
            if (!applied && (human != _task(taskId).agent || _once(8))) return human;
        }
    }

    /// @dev Returns an amount that is sometimes below the minimum, so small that the minimum stake
    /// applies or the fee is almost zero, larger than the caller's balance, or larger than 96 bits.
    function _amount() private returns (uint256) {
        uint256 kind = _draw(24);
        if (kind == 0) return _draw(0.01 ether);
        if (kind == 1) return 0.01 ether;
        if (kind == 2) return FUNDS * (1 + _draw(4));
        if (kind == 3) return 2 ** 96 + _draw(1 ether);
        return bound(_draw(2 ** 128), 0.01 ether, kind < 8 ? 1 ether : 1000 ether);
    }
}
