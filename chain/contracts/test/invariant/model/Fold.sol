// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {Vm} from "../../utils/Vm.sol";

/// @dev Reconstructs tasks and stakes from the events only.
abstract contract Fold {
    struct FoldedStake {
        address human;
        uint256 taskId;
        uint256 amount;
        IApplicationStaking.StakeStatus status;
    }

    mapping(uint256 taskId => IEscrow.TaskView) internal foldedTasks;
    mapping(uint256 applicationId => FoldedStake) internal foldedStakes;

    function _foldTask(Vm.Log memory log) internal returns (uint256 id) {
        id = uint256(log.topics[1]);
        bytes32 topic = log.topics[0];
        IEscrow.TaskView storage task = foldedTasks[id];
        if (topic == IEscrow.TaskPosted.selector) {
            (task.amount, task.feeBasisPoints) = abi.decode(log.data, (uint256, uint16));
            (task.agent, task.status) = (_account(log.topics[2]), 1);
        } else if (topic == IEscrow.TaskCreated.selector) {
            (task.human, task.status) = (_account(log.topics[3]), 2);
        } else if (topic == IEscrow.TaskCreatedWithApplication.selector) {
            task.applicationId = uint256(log.topics[2]);
        } else if (topic == IEscrow.TaskSubmitted.selector) {
            uint256 submittedAt = abi.decode(log.data, (uint256));
            (task.submittedAt, task.lastActivityAt) = (submittedAt, submittedAt);
            (task.disputeDeadline, task.status) = (submittedAt + 24 hours, 3);
        } else if (topic == IEscrow.TaskDisputed.selector) {
            (task.lastActivityAt, task.status) = (abi.decode(log.data, (uint256)), 4);
        } else if (topic == IEscrow.AgentApproved.selector) {
            (task.lastActivityAt, task.agentApproved) = (block.timestamp, true);
        } else {
            _foldEnd(task, topic);
        }
    }

    function _foldStake(Vm.Log memory log) internal returns (uint256 id) {
        id = uint256(log.topics[1]);
        bytes32 topic = log.topics[0];
        FoldedStake storage stake = foldedStakes[id];
        if (topic == IApplicationStaking.ApplicationStakeLocked.selector) {
            (stake.amount,) = abi.decode(log.data, (uint256, uint256));
            stake.human = _account(log.topics[2]);
            stake.status = IApplicationStaking.StakeStatus.Locked;
        } else if (topic == IApplicationStaking.ApplicationForTask.selector) {
            stake.taskId = uint256(log.topics[2]);
        } else if (topic == IApplicationStaking.ApplicationStakeActivated.selector) {
            stake.status = IApplicationStaking.StakeStatus.Activated;
        } else if (_endsStake(topic)) {
            (stake.amount, stake.status) = (0, IApplicationStaking.StakeStatus.Ended);
        }
    }

    function _foldEnd(IEscrow.TaskView storage task, bytes32 topic) private {
        if (topic == IEscrow.TaskReleased.selector) (task.amount, task.status) = (0, 5);
        if (topic == IEscrow.TaskRefunded.selector) (task.amount, task.status) = (0, 6);
        if (topic == IEscrow.TaskCancelled.selector) (task.amount, task.status) = (0, 7);
    }

    function _endsStake(bytes32 topic) private pure returns (bool) {
        return topic == IApplicationStaking.ApplicationStakeReturned.selector
            || topic == IApplicationStaking.ApplicationStakeForfeited.selector
            || topic == IApplicationStaking.ApplicationWithdrawn.selector;
    }

    function _account(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
