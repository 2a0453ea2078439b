// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {expectError, vm} from "../utils/Vm.sol";

contract SettleTest is Market {
    function test_RevertWhen_NotDelivered() external {
        uint256[4] memory tasks = [uint256(99), _post(), _active(), _cancelled()];
        for (uint256 i = 0; i < tasks.length; ++i) {
            vm.warp(START + 365 days);
            _expectWrongStatus(tasks[i]);
            escrow.settle(tasks[i]);
        }
    }

    function test_AgentApproved() external {
        _assertSettlesAt(_approved(), START + 72 hours);
    }

    function test_AgentDisputed() external {
        _assertSettlesAt(_disputed(agent), START + 120 hours);
    }

    function test_AgentDisputedThenApproved() external {
        uint256 taskId = _disputed(agent);
        vm.warp(START + 119 hours);
        _escrowAs(agent).agentApproveTask(taskId);
        _assertSettlesAt(taskId, START + 119 hours + 72 hours);
    }

    function test_AgentSilent() external {
        _assertSettlesAt(_submitted(), START + 37 days);
    }

    function test_HumanDisputed() external {
        uint256 taskId = _submitted();
        vm.warp(START + 23 hours);
        _escrowAs(human).disputeTask(taskId);
        _assertSettlesAt(taskId, START + 23 hours + 37 days);
    }

    function _assertSettlesAt(uint256 taskId, uint256 dueAt) private {
        vm.warp(dueAt - 1);
        expectError(IEscrow.NotDue.selector, taskId, dueAt);
        escrow.settle(taskId);

        vm.warp(dueAt);
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskReleased(taskId, human, agent, AMOUNT * 95 / 100, AMOUNT * 5 / 100);
        _escrowAs(stranger).settle(taskId);

        _assertStatus(taskId, IEscrow.Status.Released);
        _assertPaid(AMOUNT, FEE);
    }
}
