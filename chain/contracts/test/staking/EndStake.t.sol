// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {Market} from "../utils/Market.sol";
import {bound, expectError, vm} from "../utils/Vm.sol";

contract EndStakeTest is Market {
    uint256 private constant EXPIRES_AT = START + 7 days;

    function test_WithdrawStake_RevertWhen_NotLocked() external {
        uint256 taskId = _active();
        uint256 activated = escrow.getTask(taskId).applicationId;
        _assertNotLocked(0, IApplicationStaking.StakeStatus.None);
        _assertNotLocked(99, IApplicationStaking.StakeStatus.None);
        _assertNotLocked(activated, IApplicationStaking.StakeStatus.Activated);
        _escrowAs(agent).cancelTask(taskId);
        _assertNotLocked(activated, IApplicationStaking.StakeStatus.Ended);
    }

    function test_WithdrawStake_RevertWhen_UndecidedAndNotTheHuman() external {
        uint256 applicationId = _applyFor(_post(), human);
        address[2] memory callers = [stranger, agent];
        vm.warp(EXPIRES_AT - 1);
        for (uint256 i = 0; i < callers.length; ++i) {
            expectError(IApplicationStaking.NotTheApplicant.selector, applicationId, callers[i]);
            _stakingAs(callers[i]).withdrawStake(applicationId);
        }
    }

    function testFuzz_WithdrawStake_Undecided(uint256 delay) external {
        uint256 applicationId = _applyFor(_post(), human);
        vm.warp(START + bound(delay, 0, 7 days - 1));
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationWithdrawn(applicationId, human, STAKE);
        _stakingAs(human).withdrawStake(applicationId);
        _assertReturned(applicationId);
    }

    function test_WithdrawStake_Expired() external {
        uint256 applicationId = _applyFor(_post(), human);
        vm.warp(EXPIRES_AT);
        _assertAnyoneReturns(applicationId);
    }

    function test_WithdrawStake_Cancelled() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        _escrowAs(agent).cancelTask(taskId);
        _assertAnyoneReturns(applicationId);
    }

    function test_WithdrawStake_OtherAccepted() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        _accept(taskId, _applyFor(taskId, rival));
        _assertAnyoneReturns(applicationId);
    }

    function test_RejectApplication_RevertWhen_Expired() external {
        uint256 applicationId = _applyFor(_post(), human);
        for (uint256 i = 0; i < 2; ++i) {
            vm.warp(EXPIRES_AT + i);
            expectError(IApplicationStaking.ApplicationExpired.selector, applicationId, EXPIRES_AT);
            _stakingAs(agent).rejectApplication(applicationId);
        }
        vm.warp(EXPIRES_AT - 1);
        _stakingAs(agent).rejectApplication(applicationId);
    }

    function test_RejectApplication() external {
        uint256 applicationId = _applyFor(_post(), human);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationRejected(applicationId, agent);
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeForfeited(applicationId, human, STAKE);
        _stakingAs(agent).rejectApplication(applicationId);
        vm.assertEq(token.balanceOf(human), FUNDS - STAKE);
        vm.assertEq(token.balanceOf(address(treasury)), STAKE);
        _assertEnded(applicationId);
    }

    function test_RevertWhen_NotEscrow() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        bytes memory reason =
            abi.encodeWithSelector(IApplicationStaking.NotTheEscrow.selector, agent);
        vm.expectRevert(reason);
        _stakingAs(agent).activateStake(applicationId, taskId);
        vm.expectRevert(reason);
        _stakingAs(agent).returnStake(applicationId);
        vm.expectRevert(reason);
        _stakingAs(agent).forfeitStake(applicationId);
    }

    function test_RevertWhen_NotActivated() external {
        uint256 applicationId = _applyFor(_post(), human);
        bytes memory reason = abi.encodeWithSelector(
            IApplicationStaking.StakeNotActivated.selector,
            applicationId,
            IApplicationStaking.StakeStatus.Locked
        );
        vm.expectRevert(reason);
        _stakingAs(address(escrow)).returnStake(applicationId);
        vm.expectRevert(reason);
        _stakingAs(address(escrow)).forfeitStake(applicationId);
    }

    function test_ActivateStake_NamesTheHuman() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        vm.assertEq(_stakingAs(address(escrow)).activateStake(applicationId, taskId), human);
    }

    function _assertNotLocked(uint256 applicationId, IApplicationStaking.StakeStatus status)
        private
    {
        expectError(IApplicationStaking.StakeNotLocked.selector, applicationId, uint256(status));
        _stakingAs(human).withdrawStake(applicationId);
    }

    function _assertAnyoneReturns(uint256 applicationId) private {
        vm.expectEmit(address(staking));
        emit IApplicationStaking.ApplicationStakeReturned(applicationId, human, STAKE);
        _stakingAs(stranger).withdrawStake(applicationId);
        _assertReturned(applicationId);
    }

    function _assertReturned(uint256 applicationId) private view {
        vm.assertEq(token.balanceOf(human), FUNDS);
        _assertEnded(applicationId);
    }

    function _assertEnded(uint256 applicationId) private view {
        IApplicationStaking.StakeView memory stake = staking.getStake(applicationId);
        vm.assertEq(stake.amount, 0);
        vm.assertEq(uint256(stake.status), uint256(IApplicationStaking.StakeStatus.Ended));
        vm.assertEq(stake.human, human);
    }
}
