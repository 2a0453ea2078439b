// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {Books, Money} from "../utils/Books.sol";
import {EntryToken} from "../utils/EntryToken.sol";
import {Signature} from "../utils/Permits.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev Attack: the market is deployed with a misbehaving token that charges a fee, transfers too
/// much, transfers nothing but reports success, returns false, returns nothing, or takes other
/// users' money during the transfer. An agent uses it to create a task that is paid with other
/// users' tokens. Defence: the balance must grow by exactly the amount, and the token must not
/// return false; otherwise the whole call reverts. A task that is created is therefore fully funded
/// and is paid out in full.
contract TokenMisbehavesAtEntryTest is Books {
    EntryToken private entry;
    uint256 private victims;
    uint256 private victimsApplication;

    function _newToken() internal override returns (IERC20) {
        entry = new EntryToken();
        return entry;
    }

    /// @dev Creates a task and a stake of other users, whose tokens a false deposit would spend.
    function setUp() public override {
        super.setUp();
        victims = _post();
        victimsApplication = _applyFor(victims, rival);
    }

    function test_TakesFee() external {
        _assertMismatch(EntryToken.Manner.TakesFee, AMOUNT * 99 / 100, STAKE * 99 / 100);
    }

    function test_GivesMore() external {
        _assertMismatch(EntryToken.Manner.GivesMore, AMOUNT + 1, STAKE + 1);
    }

    function test_MovesNothing() external {
        _assertMismatch(EntryToken.Manner.MovesNothing, 0, 0);
    }

    function test_ChargesTwice() external {
        _assertMismatch(EntryToken.Manner.ChargesTwice, 2 * AMOUNT, 2 * STAKE);
    }

    function test_TransferReturnsFalse() external {
        bytes memory failed =
            abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(entry));
        _assertNoEntry(EntryToken.Manner.ReturnsFalse, failed, failed);
        _assertNoEntry(EntryToken.Manner.ReturnsFalseButMoves, failed, failed);
        _assertNoEntry(EntryToken.Manner.ReturnsShort, failed, failed);
    }

    /// @dev The escrow's balance falls during the transfer, so the subtraction reverts.
    function test_TakesFromTheEscrow() external {
        bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x11);
        _assertNoEntry(EntryToken.Manner.TakesFromTheEscrow, panic, panic);
    }

    function test_ExactIsPaidOut() external {
        _assertExact(EntryToken.Manner.Exact);
    }

    function test_NoReturnIsPaidOut() external {
        _assertExact(EntryToken.Manner.NoReturn);
    }

    /// @dev A permit that succeeds without effect does not give a free task: without an allowance
    /// the call reverts, and with one the caller is charged, not the account in the permit.
    function test_PhantomPermit() external {
        bytes memory post = _postWithoutTerms(START, Signature(27, WORK, WORK));
        bytes memory lock = abi.encodeCall(
            IApplicationStaking.lockApplicationStakeWithPermit,
            (victims, STAKE, START, 27, WORK, WORK)
        );
        _assertRefused(stranger, address(escrow), post, _noAllowance(address(escrow), AMOUNT));
        _assertRefused(stranger, address(staking), lock, _noAllowance(address(staking), STAKE));

        Money memory books = _money();
        (bool posted,) = _try(agent, address(escrow), post);
        (bool locked,) = _try(human, address(staking), lock);
        vm.assertTrue(posted && locked, "entry with an allowance failed");
        books.agent -= AMOUNT;
        books.escrow += AMOUNT;
        books.human -= STAKE;
        books.staking += STAKE;
        _assertMoney(books);
    }

    function _assertMismatch(EntryToken.Manner manner, uint256 posted, uint256 staked) private {
        bytes4 mismatch = ITokenCustody.TransferMismatch.selector;
        _assertNoEntry(
            manner,
            abi.encodeWithSelector(mismatch, AMOUNT, posted),
            abi.encodeWithSelector(mismatch, STAKE, staked)
        );
    }

    /// @dev Asserts that neither a task nor an application is created, that no account is charged,
    /// and that the victims' money can still be withdrawn.
    function _assertNoEntry(
        EntryToken.Manner manner,
        bytes memory whyNoTask,
        bytes memory whyNoStake
    ) private {
        (uint256 tasks, uint256 supply) = (escrow.taskCount(), token.totalSupply());
        entry.behave(manner);
        vm.expectRevert(whyNoTask);
        _escrowAs(agent).postTask(AMOUNT, FEE, TERMS);
        vm.expectRevert(whyNoStake);
        _stakingAs(human).lockApplicationStake(victims, STAKE);
        vm.assertEq(escrow.taskCount(), tasks);
        vm.assertEq(staking.getStakeHuman(victimsApplication + 1), address(0));
        vm.assertEq(token.totalSupply(), supply);
        entry.behave(EntryToken.Manner.Exact);
        _assertVictimsWhole();
    }

    function _assertVictimsWhole() private {
        Money memory books = _money();
        _escrowAs(agent).cancelTask(victims);
        staking.withdrawStake(victimsApplication);
        books.agent += AMOUNT;
        books.escrow -= AMOUNT;
        books.rival += STAKE;
        books.staking -= STAKE;
        _assertMoney(books);
        _assertEmpty();
        victims = _post();
        victimsApplication = _applyFor(victims, rival);
    }

    function _assertExact(EntryToken.Manner manner) private {
        entry.behave(manner);
        Money memory books = _money();
        uint256 taskId = _approved();
        books.agent -= AMOUNT;
        books.human -= STAKE;
        books.escrow += AMOUNT;
        books.staking += STAKE;
        _assertMoney(books);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        _bookRelease(books);
        _assertMoney(books);
    }

    function _noAllowance(address spender, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeWithSignature(
            "ERC20InsufficientAllowance(address,uint256,uint256)", spender, 0, amount
        );
    }
}
