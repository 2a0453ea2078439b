// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Ended tasks are final: every function rejects them, for every caller and at any time.
contract EndsTest is Market {
    function test_Released() external {
        _assertFinal(_released());
    }

    function test_Refunded() external {
        _assertFinal(_refunded());
    }

    function test_Cancelled() external {
        _assertFinal(_cancelled());
    }

    function test_CancelledAfterAcceptance() external {
        uint256 taskId = _active();
        _escrowAs(human).cancelTask(taskId);
        _assertFinal(taskId);
    }

    function _assertFinal(uint256 taskId) private {
        IEscrow.TaskView memory ended = escrow.getTask(taskId);
        vm.assertEq(ended.amount, 0);
        vm.assertEq(staking.requiredStake(taskId), 0);
        vm.assertEq(escrow.due(taskId), 0);
        _assertAllCallsRevert(taskId, IEscrow.Status(ended.status));
        vm.warp(START + 400 days);
        _assertAllCallsRevert(taskId, IEscrow.Status(ended.status));

        expectError(IApplicationStaking.TaskNotOpen.selector, taskId);
        _stakingAs(rival).lockApplicationStake(taskId, STAKE);
        if (ended.applicationId != 0) _assertStakeEnded(ended.applicationId);
        vm.assertEq(keccak256(abi.encode(escrow.getTask(taskId))), keccak256(abi.encode(ended)));
    }

    function _assertAllCallsRevert(uint256 taskId, IEscrow.Status status) private {
        bytes[7] memory calls = [
            abi.encodeCall(IEscrow.acceptApplicationForTask, (taskId, 1)),
            abi.encodeCall(IEscrow.submitTask, (taskId, WORK)),
            abi.encodeCall(IEscrow.agentApproveTask, (taskId)),
            abi.encodeCall(IEscrow.disputeTask, (taskId)),
            abi.encodeCall(IEscrow.cancelTask, (taskId)),
            abi.encodeCall(IEscrow.settle, (taskId)),
            abi.encodeCall(IEscrow.emergencyRelease, (taskId))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            _assertRefuses(agent, calls[i], i < 6 ? taskId : 0, status);
            _assertRefuses(human, calls[i], i > 3 ? taskId : 0, status);
        }
        bytes[] memory signatures = _verdict(taskId, true);
        vm.expectRevert(_wrongStatus(taskId, status));
        escrow.approveSubmission(taskId, signatures);
        signatures = _verdict(taskId, false);
        vm.expectRevert(_wrongStatus(taskId, status));
        escrow.rejectSubmission(taskId, signatures);
    }

    /// @dev Asserts that the call reverts. If `taskId` is not 0, the error must be the wrong-status
    /// error for that task.
    function _assertRefuses(
        address caller,
        bytes memory call,
        uint256 taskId,
        IEscrow.Status status
    ) private {
        vm.prank(caller);
        (bool success, bytes memory reason) = address(escrow).call(call);
        vm.assertTrue(!success, "an ended task changed");
        if (taskId == 0 || bytes4(reason) != IEscrow.WrongStatus.selector) return;
        vm.assertEq(keccak256(reason), keccak256(_wrongStatus(taskId, status)));
    }

    function _assertStakeEnded(uint256 applicationId) private {
        bytes memory reason = abi.encodeWithSelector(
            IApplicationStaking.StakeNotLocked.selector,
            applicationId,
            IApplicationStaking.StakeStatus.Ended
        );
        vm.expectRevert(reason);
        _stakingAs(human).withdrawStake(applicationId);
        vm.expectRevert(reason);
        _stakingAs(agent).rejectApplication(applicationId);
        vm.assertEq(staking.getStake(applicationId).amount, 0);
    }
}
