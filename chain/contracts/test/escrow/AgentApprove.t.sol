// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";

contract AgentApproveTest is Market {
    function test_RevertWhen_NotAgent() external {
        uint256 taskId = _submitted();
        expectError(IEscrow.NotTheAgent.selector, taskId, human);
        _escrowAs(human).agentApproveTask(taskId);
    }

    function test_RevertWhen_NotDelivered() external {
        uint256[3] memory tasks = [_post(), _active(), _cancelled()];
        for (uint256 i = 0; i < tasks.length; ++i) {
            _expectWrongStatus(tasks[i]);
            _escrowAs(agent).agentApproveTask(tasks[i]);
        }
    }

    function test_RevertWhen_ApprovedBefore() external {
        uint256 taskId = _approved();
        vm.warp(START + 1 days);
        expectError(IEscrow.AgentHasApproved.selector, taskId);
        _escrowAs(agent).agentApproveTask(taskId);
        vm.assertEq(escrow.getTask(taskId).lastActivityAt, START);
    }

    function testFuzz_Submitted(uint256 delay) external {
        _assertApproves(_submitted(), delay, IEscrow.Status.Submitted);
    }

    function testFuzz_DisputedByAgent(uint256 delay) external {
        _assertApproves(_disputed(agent), delay, IEscrow.Status.Disputed);
    }

    function testFuzz_DisputedByHuman(uint256 delay) external {
        _assertApproves(_disputed(human), delay, IEscrow.Status.Disputed);
    }

    function _assertApproves(uint256 taskId, uint256 delay, IEscrow.Status status) private {
        uint256 time = START + bound(delay, 0, 300 days);
        vm.warp(time);
        vm.expectEmit(address(escrow));
        emit IEscrow.AgentApproved(taskId, agent, human);
        _escrowAs(agent).agentApproveTask(taskId);

        IEscrow.TaskView memory task = escrow.getTask(taskId);
        vm.assertTrue(task.agentApproved);
        vm.assertEq(task.lastActivityAt, time);
        vm.assertEq(task.submittedAt, START);
        vm.assertEq(task.status, uint8(status));
        vm.assertEq(escrow.due(taskId), time + 72 hours);
    }
}
