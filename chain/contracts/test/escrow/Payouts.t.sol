// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {Market} from "../utils/Market.sol";
import {OddToken} from "../utils/Tokens.sol";
import {Vm, expectError, vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

contract PayoutsTest is Market {
    OddToken private odd;

    function _newToken() internal override returns (IERC20) {
        odd = new OddToken();
        return odd;
    }

    function test_RefusingHuman() external {
        _assertCredits(OddToken.Fault.RefusesPayee, bytes("refused"));
    }

    function test_RefusedByFalse() external {
        _assertCredits(OddToken.Fault.ReturnsFalse, "");
    }

    function test_RefusingAgent() external {
        uint256 cancelled = _active();
        uint256 rejected = _disputed(agent);
        odd.misbehave(OddToken.Fault.RefusesPayee, agent);
        _escrowAs(human).cancelTask(cancelled);
        escrow.rejectSubmission(rejected, _verdict(rejected, false));
        _assertStatus(cancelled, IEscrow.Status.Cancelled);
        _assertStatus(rejected, IEscrow.Status.Refunded);
        vm.assertEq(escrow.withdrawable(agent), 2 * AMOUNT);
        odd.misbehave(OddToken.Fault.None, address(0));
        escrow.withdrawCredit(agent);
        vm.assertEq(token.balanceOf(agent), FUNDS);
    }

    function test_RefusingTreasury() external {
        uint256 released = _approved();
        uint256 rejected = _disputed(agent);
        odd.misbehave(OddToken.Fault.RefusesPayee, address(treasury));
        escrow.approveSubmission(released, _verdict(released, true));
        escrow.rejectSubmission(rejected, _verdict(rejected, false));
        vm.assertEq(escrow.withdrawable(address(treasury)), AMOUNT * 5 / 100);
        vm.assertEq(staking.withdrawable(address(treasury)), STAKE);
    }

    /// @dev Nothing is not sent, so it cannot be refused either.
    function test_RefusingTreasuryWithoutFee() external {
        _escrowAs(owner).setPlatformFee(0);
        uint256 taskId = _approved();
        odd.misbehave(OddToken.Fault.RefusesPayee, address(treasury));
        bytes[] memory signatures = _verdict(taskId, true);
        vm.recordLogs();
        escrow.approveSubmission(taskId, signatures);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            vm.assertTrue(logs[i].topics[0] != ITokenCustody.Credited.selector);
        }
        _assertPaid(AMOUNT, 0);
    }

    function test_RefusingApplicant() external {
        uint256 applicationId = _applyFor(_post(), human);
        odd.misbehave(OddToken.Fault.RefusesPayee, human);
        _stakingAs(human).withdrawStake(applicationId);
        vm.assertEq(staking.withdrawable(human), STAKE);
    }

    function test_RevertWhen_NoCredit() external {
        bytes memory reason =
            abi.encodeWithSelector(ITokenCustody.NothingToWithdraw.selector, human);
        vm.expectRevert(reason);
        escrow.withdrawCredit(human);
        vm.expectRevert(reason);
        staking.withdrawCredit(human);
    }

    function test_RevertWhen_TokenTakesFee() external {
        uint256 taskId = _post();
        odd.misbehave(OddToken.Fault.TakesFee, address(0));
        _assertMismatch(AMOUNT, AMOUNT * 99 / 100);
        _escrowAs(agent).postTask(AMOUNT, FEE, TERMS);
        _assertMismatch(STAKE, STAKE * 99 / 100);
        _stakingAs(human).lockApplicationStake(taskId, STAKE);
    }

    function test_RevertWhen_TokenGivesMore() external {
        odd.misbehave(OddToken.Fault.GivesMore, address(0));
        _assertMismatch(AMOUNT, AMOUNT + 1);
        _escrowAs(agent).postTask(AMOUNT, FEE, TERMS);
    }

    function test_RevertWhen_TokenReturnsFalse() external {
        odd.misbehave(OddToken.Fault.ReturnsFalse, address(0));
        expectError(SafeERC20.SafeERC20FailedOperation.selector, address(odd));
        _escrowAs(agent).postTask(AMOUNT, FEE, TERMS);
    }

    function test_TokenWithoutReturn() external {
        odd.misbehave(OddToken.Fault.NoReturn, address(0));
        _released();
        _assertPaid(AMOUNT, FEE);
    }

    /// @dev The token has no permit at all; the allowance does.
    function test_TokenWithoutPermit() external {
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, START, 0, 0, 0);
        vm.assertEq(token.balanceOf(address(escrow)), AMOUNT);
    }

    function testFuzz_Donation(uint96 before, uint96 later) external {
        token.transfer(address(escrow), before);
        token.transfer(address(staking), later);
        uint256 taskId = _approved();
        token.transfer(address(escrow), later);
        token.transfer(address(staking), before);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        uint256 donated = uint256(before) + later;
        vm.assertEq(token.balanceOf(address(escrow)), donated);
        vm.assertEq(token.balanceOf(address(staking)), donated);
        vm.assertEq(token.balanceOf(human), FUNDS + AMOUNT * 95 / 100);
    }

    function _assertCredits(OddToken.Fault fault, bytes memory message) private {
        uint256 taskId = _approved();
        bytes[] memory signatures = _verdict(taskId, true);
        odd.misbehave(fault, human);
        vm.expectEmit(address(staking));
        emit ITokenCustody.Credited(human, STAKE);
        vm.expectEmit(address(escrow));
        emit ITokenCustody.Credited(human, AMOUNT * 95 / 100);
        escrow.approveSubmission(taskId, signatures);

        _assertStatus(taskId, IEscrow.Status.Released);
        vm.assertEq(token.balanceOf(address(treasury)), AMOUNT * 5 / 100);
        vm.expectRevert(
            message.length > 0
                ? abi.encodeWithSignature("Error(string)", message)
                : abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, odd)
        );
        escrow.withdrawCredit(human);

        odd.misbehave(OddToken.Fault.None, address(0));
        vm.expectEmit(address(escrow));
        emit ITokenCustody.CreditWithdrawn(human, AMOUNT * 95 / 100);
        _escrowAs(stranger).withdrawCredit(human);
        staking.withdrawCredit(human);
        _assertPaid(AMOUNT, FEE);
        expectError(ITokenCustody.NothingToWithdraw.selector, human);
        escrow.withdrawCredit(human);
    }

    function _assertMismatch(uint256 expected, uint256 received) private {
        expectError(ITokenCustody.TransferMismatch.selector, expected, received);
    }
}
