// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";

contract CancelTest is Market {
    function test_RevertWhen_WrongStatus() external {
        uint256[5] memory tasks =
            [uint256(99), _submitted(), _disputed(agent), _cancelled(), _released()];
        for (uint256 i = 0; i < tasks.length; ++i) {
            _expectWrongStatus(tasks[i]);
            _escrowAs(agent).cancelTask(tasks[i]);
        }
    }

    function test_RevertWhen_NoParty() external {
        uint256 posted = _post();
        _applyFor(posted, rival);
        uint256 active = _active();
        address[3] memory callers = [stranger, rival, human];
        for (uint256 i = 0; i < callers.length; ++i) {
            expectError(IEscrow.NotAParty.selector, posted, callers[i]);
            _escrowAs(callers[i]).cancelTask(posted);
        }
        for (uint256 i = 0; i < 2; ++i) {
            expectError(IEscrow.NotAParty.selector, active, callers[i]);
            _escrowAs(callers[i]).cancelTask(active);
        }
    }

    function testFuzz_Posted(uint256 amount, uint256 delay) external {
        amount = bound(amount, escrow.MINIMUM_ESCROW(), FUNDS);
        uint256 taskId = _post(amount);
        vm.warp(START + bound(delay, 0, 10_000 days));
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskCancelled(taskId, agent, address(0), amount, 0);
        _escrowAs(agent).cancelTask(taskId);
        _assertUndone(taskId);
    }

    function test_ActiveByAgent() external {
        _assertCancels(agent);
    }

    function test_ActiveByHuman() external {
        _assertCancels(human);
    }

    function _assertCancels(address by) private {
        uint256 taskId = _active();
        uint256 applicationId = escrow.getTask(taskId).applicationId;
        vm.expectEmit(address(escrow));
        emit IEscrow.TaskCancelled(taskId, agent, human, AMOUNT, 0);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeReturned(applicationId, human, STAKE);
        _escrowAs(by).cancelTask(taskId);
        _assertUndone(taskId);
    }

    function _assertUndone(uint256 taskId) private view {
        _assertStatus(taskId, IEscrow.Status.Cancelled);
        vm.assertEq(escrow.getTask(taskId).amount, 0);
        vm.assertEq(token.balanceOf(agent), FUNDS);
        vm.assertEq(token.balanceOf(human), FUNDS);
        _assertEmpty();
    }
}
