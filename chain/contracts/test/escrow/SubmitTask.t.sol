// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";

contract SubmitTaskTest is Market {
    function test_RevertWhen_NotActive() external {
        uint256[4] memory tasks = [_post(), _submitted(), _disputed(agent), _cancelled()];
        for (uint256 i = 0; i < tasks.length; ++i) {
            _expectWrongStatus(tasks[i]);
            _escrowAs(human).submitTask(tasks[i], WORK);
        }
    }

    function test_RevertWhen_NotHuman() external {
        uint256 taskId = _active();
        address[3] memory others = [agent, rival, stranger];
        for (uint256 i = 0; i < others.length; ++i) {
            expectError(IEscrow.NotTheHuman.selector, taskId, others[i]);
            _escrowAs(others[i]).submitTask(taskId, WORK);
        }
    }

    function test_RevertWhen_EmptyHash() external {
        uint256 taskId = _active();
        expectError(IEscrow.EmptyWorkHash.selector, taskId);
        _escrowAs(human).submitTask(taskId, 0);
    }

    function testFuzz_Submits(bytes32 work, uint256 time) external {
        vm.assume(work != 0);
        time = bound(time, START, START + 10_000 days);
        uint256 taskId = _active();
        vm.warp(time);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskSubmitted(taskId, human, agent, time);
        vm.expectEmit(address(escrow));
        emit IEscrow.WorkCommitted(taskId, work);
        _escrowAs(human).submitTask(taskId, work);

        IEscrow.TaskView memory task = escrow.getTask(taskId);
        vm.assertEq(task.status, uint8(IEscrow.Status.Submitted));
        vm.assertEq(task.submittedAt, time);
        vm.assertEq(task.lastActivityAt, time);
        vm.assertEq(task.disputeDeadline, time + 24 hours);
        vm.assertEq(escrow.workHash(taskId), work);
        vm.assertEq(escrow.due(taskId), time + 30 days);
    }
}
