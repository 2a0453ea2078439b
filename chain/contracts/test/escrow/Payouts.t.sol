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

    /// @dev A fee of zero is not transferred, so a treasury that rejects transfers receives no
    /// credit.
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

    function test_TokenWithoutReturn() external {
        odd.misbehave(OddToken.Fault.NoReturn, address(0));
        _released();
        _assertPaid(AMOUNT, FEE);
    }

    /// @dev The token has no permit function; the existing allowance is sufficient.
    function test_TokenWithoutPermit() external {
        _escrowAs(agent).postTaskWithPermit(AMOUNT, FEE, START, 0, 0, 0);
        vm.assertEq(token.balanceOf(address(escrow)), AMOUNT);
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
}
