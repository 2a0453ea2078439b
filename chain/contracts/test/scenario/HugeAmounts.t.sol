// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {RewardDistributor} from "../../src/RewardDistributor.sol";
import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {IRewardDistributor} from "../../src/interfaces/IRewardDistributor.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {deploy} from "../utils/Deploy.sol";
import {VastToken} from "../utils/VastToken.sol";
import {bound, expectError, signatureOf, vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @dev An owner contract that alternates the quorum, so that each call creates a new panel.
contract RestlessOwner {
    Escrow private immutable escrow;
    address[] private none;

    constructor(Escrow escrow_) {
        escrow = escrow_;
    }

    function accept() external {
        escrow.acceptOwnership();
    }

    function changePanels(uint256 times) external {
        for (uint256 i = 0; i < times; ++i) {
            uint8 quorum = escrow.quorumOf(escrow.panel());
            escrow.changePanel(none, none, quorum == 2 ? 3 : 2);
        }
    }
}

/// @dev Attack: an account whose balance exceeds 96 bits posts 2^96 + 1, so that the ledger might
/// store 1, or passes ids and times whose lower bits match existing ones. Defence: every narrowing
/// conversion is checked and reverts on overflow, and ids are used at full width. Amounts up to
/// 2^96 - 1 are paid exactly.
contract HugeAmountsTest is Books {
    uint256 private constant MOST = type(uint96).max;
    uint256 private constant LAST_SECOND = type(uint40).max;

    address[] private none;

    function _newToken() internal override returns (IERC20) {
        VastToken vast = new VastToken();
        vast.give(vm.addr(AGENT_KEY), type(uint256).max / 2);
        return vast;
    }

    function test_BeyondTheLedger() external {
        uint256[5] memory amounts =
            [MOST + 1, MOST + 2, MOST + AMOUNT, type(uint128).max, type(uint256).max];
        for (uint256 i = 0; i < amounts.length; ++i) {
            vm.expectRevert(_overflow(96, amounts[i]));
            _escrowAs(agent).postTask(amounts[i], FEE, TERMS);
        }
        vm.assertEq(escrow.taskCount(), 0);
    }

    /// @dev No amount from 2^96 to 2^256 - 1 is stored, neither in full nor truncated.
    function testFuzz_BeyondTheLedger(uint256 amount) external {
        amount = bound(amount, MOST + 1, type(uint256).max);
        vm.expectRevert(_overflow(96, amount));
        _escrowAs(agent).postTask(amount, FEE, TERMS);
        vm.assertEq(escrow.taskCount(), 0);
    }

    /// @dev At any amount and fee, the fee is rounded down, and fee and payment add up to the amount.
    function testFuzz_FeeAndPaymentAddUp(uint256 amount, uint256 fee) external {
        amount = bound(amount, escrow.MINIMUM_ESCROW(), MOST);
        fee = bound(fee, 0, 2000);
        _escrowAs(owner).setPlatformFee(uint16(fee));
        uint256 before = token.balanceOf(human);
        uint256 taskId = _activeOf(amount);
        _escrowAs(human).submitTask(taskId, WORK);
        vm.warp(START + 80 days);
        escrow.settle(taskId);
        vm.assertEq(token.balanceOf(address(treasury)), amount * fee / 10_000, "the fee");
        uint256 payment = token.balanceOf(human) - before;
        vm.assertEq(payment, amount - amount * fee / 10_000, "the payment");
        _assertEmpty();
    }

    /// @dev The largest task at the highest fee is released and refunded exactly, to the wei.
    function test_TheLargest() external {
        _escrowAs(owner).setPlatformFee(2000);
        (uint256 released, uint256 refunded) = (_activeOf(MOST), _activeOf(MOST));
        Money memory books = _money();
        vm.warp(START + 37 days);
        _escrowAs(agent).cancelTask(refunded);
        books.escrow -= MOST;
        books.agent += MOST;
        books.staking -= 10 ether;
        books.human += 10 ether;
        _assertMoney(books);

        _escrowAs(human).submitTask(released, WORK);
        vm.warp(START + 80 days);
        escrow.settle(released);
        uint256 fee = MOST * 2000 / 10_000;
        books.escrow -= MOST;
        books.human += MOST - fee + 10 ether;
        books.treasury += fee;
        books.staking -= 10 ether;
        _assertMoney(books);
        _assertEmpty();
    }

    /// @dev Tests the limits of the stake (0.001 tokens, 5 %, 10 tokens), each at its boundary.
    function test_StakeClamps() external {
        uint256[7] memory amounts = [
            uint256(0.01 ether),
            0.02 ether,
            0.02 ether + 20,
            200 ether - 20,
            200 ether,
            200 ether + 20,
            MOST
        ];
        uint256[7] memory stakes = [
            uint256(0.001 ether),
            0.001 ether,
            0.001 ether + 1,
            10 ether - 1,
            10 ether,
            10 ether,
            10 ether
        ];
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 taskId = _post(amounts[i]);
            Money memory books = _money();
            vm.assertEq(staking.requiredStake(taskId), stakes[i], "stake");
            _applyFor(taskId, human);
            books.human -= stakes[i];
            books.staking += stakes[i];
            _assertMoney(books);
        }
    }

    /// @dev A stake with a wrong amount reverts, even if the lower 96 bits are correct.
    function test_StakeBeyondTheLedger() external {
        uint256 taskId = _post();
        uint256[3] memory stakes = [MOST + 1 + STAKE, type(uint256).max, 0];
        for (uint256 i = 0; i < stakes.length; ++i) {
            expectError(IApplicationStaking.StakeMismatch.selector, stakes[i], STAKE);
            _stakingAs(human).lockApplicationStake(taskId, stakes[i]);
        }
    }

    /// @dev Ids that would match existing ones if truncated to 40, 64, 96, 128 or 160 bits are
    /// unknown.
    function test_IdsAreNotCut() external {
        uint256 taskId = _post();
        uint256 applicationId = _applyFor(taskId, human);
        uint256[5] memory widths = [uint256(40), 64, 96, 128, 160];
        for (uint256 i = 0; i < widths.length; ++i) {
            uint256 falseTask = taskId + 2 ** widths[i];
            uint256 falseApplication = applicationId + 2 ** widths[i];
            vm.expectRevert(_overflow(40, falseApplication));
            _escrowAs(agent).acceptApplicationForTask(taskId, falseApplication);
            vm.expectRevert(_wrongStatus(falseTask, IEscrow.Status.None));
            _escrowAs(agent).cancelTask(falseTask);
            expectError(IApplicationStaking.TaskNotOpen.selector, falseTask);
            _stakingAs(rival).lockApplicationStake(falseTask, STAKE);
            expectError(
                IApplicationStaking.StakeNotLocked.selector,
                falseApplication,
                uint256(IApplicationStaking.StakeStatus.None)
            );
            _stakingAs(human).withdrawStake(falseApplication);
        }
    }

    /// @dev Attack: an owner changes the panel 65,535 times, so that its number overflows and
    /// former validators could decide on live tasks. Defence: the next change reverts, a new task
    /// can still be accepted, and an old task is still decided by its own panel.
    function test_PanelsDoNotWrap() external {
        uint256 early = _submitted();
        RestlessOwner restless = new RestlessOwner(escrow);
        _escrowAs(owner).transferOwnership(address(restless));
        restless.accept();
        cheats.pauseGasMetering();
        for (uint256 i = 0; i < 62; ++i) {
            restless.changePanels(1057); // 62 calls × 1,057 panels + the first panel = 65,535
        }
        cheats.resumeGasMetering();
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        _escrowAs(address(restless)).changePanel(none, none, 3);
        uint256 late = _submitted();
        vm.assertEq(escrow.panelOf(late), type(uint16).max);
        vm.assertEq(escrow.panelOf(early), 1);
        Money memory books = _money();
        vm.warp(START + 24 hours);
        escrow.rejectSubmission(early, _verdict(early, false));
        _bookRefund(books);
        _assertMoney(books);
        bytes32 digest = escrow.verdictDigest(late, true);
        escrow.approveSubmission(late, _signed(digest, escrow.quorumOf(type(uint16).max)));
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev Uses the latest time that 40 bits can store, about 36,812 years after 1970: calls that
    /// would store a later time revert, and the money can still be withdrawn.
    function test_TimesAreNotCut() external {
        (uint256 posted, uint256 active) = (_post(), _active());
        uint256 submitted = _submitted();
        vm.warp(LAST_SECOND - 7 days + 1);
        vm.expectRevert(_overflow(40, LAST_SECOND + 1));
        _stakingAs(rival).lockApplicationStake(posted, STAKE);
        vm.warp(LAST_SECOND + 1);
        vm.expectRevert(_overflow(40, LAST_SECOND + 1));
        _escrowAs(human).submitTask(active, WORK);
        vm.expectRevert(_overflow(40, LAST_SECOND + 1));
        _escrowAs(agent).agentApproveTask(submitted);
        Money memory books = _money();
        _escrowAs(agent).cancelTask(posted);
        books.escrow -= AMOUNT;
        books.agent += AMOUNT;
        _escrowAs(agent).cancelTask(active);
        _bookCancel(books);
        escrow.settle(submitted);
        _bookRelease(books);
        _assertMoney(books);
        _assertEmpty();
    }

    /// @dev Work is submitted in the last representable second: the windows are computed with 256
    /// bits and do not overflow.
    function test_WindowsDoNotWrap() external {
        uint256 taskId = _active();
        vm.warp(LAST_SECOND);
        _escrowAs(human).submitTask(taskId, WORK);
        vm.assertEq(escrow.getTask(taskId).disputeDeadline, LAST_SECOND + 24 hours);
        vm.assertEq(escrow.due(taskId), LAST_SECOND + 30 days);
        expectError(IEscrow.NotDue.selector, taskId, LAST_SECOND + 37 days);
        _escrowAs(stranger).settle(taskId);
        Money memory books = _money();
        vm.warp(LAST_SECOND + 37 days);
        escrow.settle(taskId);
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev Tests the maximum reward with the maximum budget: each claim pays at most one budget.
    function test_HugeRewards() external {
        uint256 key = 0xF1;
        bytes memory arguments = abi.encode(token, owner, vm.addr(key), type(uint96).max);
        RewardDistributor rewards = RewardDistributor(deploy("RewardDistributor", arguments));
        VastToken(address(token)).give(address(rewards), type(uint256).max / 4);
        uint256 deadline = type(uint256).max;
        bytes memory voucher =
            signatureOf(key, rewards.claimDigest(stranger, type(uint256).max, deadline));
        vm.assertEq(rewards.claim(stranger, type(uint256).max, deadline, voucher), MOST);
        expectError(IRewardDistributor.NothingToClaim.selector, stranger);
        rewards.claim(stranger, type(uint256).max, deadline, voucher);
        vm.warp(LAST_SECOND);
        vm.assertEq(rewards.available(), MOST);
        rewards.claim(stranger, type(uint256).max, deadline, voucher);
        vm.assertEq(token.balanceOf(stranger), 2 * MOST);
    }

    function _activeOf(uint256 amount) private returns (uint256 taskId) {
        taskId = _post(amount);
        _accept(taskId, _applyFor(taskId, human));
    }

    function _overflow(uint8 bits, uint256 value) private pure returns (bytes memory) {
        return abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, bits, value);
    }
}
