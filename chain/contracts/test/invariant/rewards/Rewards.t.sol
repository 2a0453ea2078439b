// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../../src/RewardDistributor.sol";
import {Treasury} from "../../../src/Treasury.sol";
import {signatureOf, vm} from "../../utils/Vm.sol";
import {BookToken} from "../raw/BookToken.sol";
import {Handler} from "./Handler.sol";

/// @dev These invariants must hold for all actions of earners, thieves and the owner:
///
/// 1. Every claim has the predicted result: the correct error, or a payment of exactly the minimum of the amount due, the bucket and the balance. Only the owner can change settings.
/// 2. All deposits have either been paid out or are still in the contract.
/// 3. No account was paid more than the highest amount that a key signed for it.
/// 4. At most one budget is paid at once, and at most two in any 24 hours.
/// 5. A treasury has its deposits, less the owner's withdrawals.
/// 6. After an honest signer is set, every earner can claim the full amount due, at one budget per day.
contract RewardsTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    bool public constant IS_TEST = true;
    uint256 private constant START = 1_800_000_000;
    uint256 private constant KEY = 0xE1;
    uint256 private constant FRESH_KEY = 0xE9;
    uint96 private constant BUDGET = 50 ether;
    uint256 private constant FUNDS = 300 ether;
    uint256 private constant SUPPLY = 1_000_000_000 ether;
    address private constant OWNER = address(0xD1);

    BookToken private token;
    Treasury private treasury;
    RewardDistributor private rewards;
    Handler private handler;

    function setUp() external {
        vm.warp(START);
        token = new BookToken(SUPPLY);
        treasury = new Treasury(OWNER);
        rewards = new RewardDistributor(token, OWNER, vm.addr(KEY), BUDGET);
        _give(address(rewards), FUNDS);
        handler = new Handler(rewards, treasury, token, OWNER, KEY);
        _give(address(handler), SUPPLY / 2);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Lists `bring` several times, so that claims are more frequent than other actions.
    function targetSelectors() external view returns (FuzzSelector[] memory selectors) {
        bytes4[] memory list = new bytes4[](12);
        (list[0], list[1], list[2]) =
        (handler.earn.selector, handler.steal.selector, handler.give.selector);
        (list[3], list[4], list[5]) =
        (handler.setSigner.selector, handler.setBudget.selector, handler.spend.selector);
        (list[6], list[7], list[8]) =
        (handler.refuse.selector, handler.pass.selector, handler.bring.selector);
        (list[9], list[10], list[11]) =
        (handler.bring.selector, handler.bring.selector, handler.bring.selector);
        selectors = new FuzzSelector[](1);
        selectors[0] = FuzzSelector(address(handler), list);
    }

    /// forge-config: default.invariant.runs = 48
    /// forge-config: default.invariant.depth = 96
    /// forge-config: deep.invariant.runs = 2000
    /// forge-config: deep.invariant.depth = 128
    function invariant_Rewards() external view {
        resultsAreAsPredicted();
        rewardsAreConserved();
        nobodyExceedsVouchers();
        flowIsBounded();
        treasuryIsConserved();
    }

    function afterInvariant() external {
        everyEarnerIsPaid();
    }

    /// @dev Every claim had the predicted result, and the bucket has the expected level.
    function resultsAreAsPredicted() internal view {
        vm.assertEq(bytes(handler.fault()).length, 0, handler.fault());
        vm.assertEq(rewards.available(), handler.payouts().available(), "available");
        vm.assertEq(rewards.dailyBudget(), handler.payouts().budget(), "budget");
    }

    function rewardsAreConserved() internal view {
        vm.assertEq(token.balanceOf(address(rewards)), handler.balance(), "balance");
        uint256 sum = 0;
        for (uint256 i = 0; i < handler.ACCOUNTS(); ++i) {
            address account = handler.account(i);
            vm.assertEq(rewards.claimed(account), handler.claimed(account), "claimed");
            vm.assertEq(token.balanceOf(account), handler.claimed(account), "received");
            sum += handler.claimed(account);
        }
        vm.assertEq(sum, handler.paidOut(), "paid out");
    }

    function nobodyExceedsVouchers() internal view {
        for (uint256 i = 0; i < handler.ACCOUNTS(); ++i) {
            address account = handler.account(i);
            vm.assertLe(rewards.claimed(account), handler.mostSigned(account), "signed");
        }
    }

    /// @dev Bounds the payouts. Checked after every step, so it covers every window that ends with
    /// a step.
    function flowIsBounded() internal view {
        uint256 atOnce = handler.payouts().paidWithin(0);
        vm.assertLe(atOnce, handler.payouts().largestBudget(0), "at once");
        uint256 inADay = handler.payouts().paidWithin(1 days);
        vm.assertLe(inADay, 2 * handler.payouts().largestBudget(1 days), "in a day");
    }

    function treasuryIsConserved() internal view {
        vm.assertEq(token.balanceOf(address(treasury)), handler.treasuryBalance(), "treasury");
    }

    /// @dev The owner replaces the key and funds the contract, and each earner claims once per day
    /// until fully paid.
    function everyEarnerIsPaid() internal {
        token.refuse(address(0));
        vm.prank(OWNER);
        rewards.setSigner(vm.addr(FRESH_KEY));
        vm.prank(OWNER);
        rewards.setBudget(BUDGET);
        uint256 due = _due();
        _give(address(rewards), due);
        for (uint256 day = 0; day * BUDGET < due; ++day) {
            vm.warp(block.timestamp + 1 days);
            for (uint256 i = 0; i < handler.ACCOUNTS(); ++i) {
                _collect(handler.account(i));
            }
        }
        vm.assertEq(_due(), 0, "still due");
    }

    function _due() private view returns (uint256 due) {
        for (uint256 i = 0; i < handler.ACCOUNTS(); ++i) {
            due += _dueTo(handler.account(i));
        }
    }

    function _dueTo(address account) private view returns (uint256) {
        uint256 earned = handler.earned(account);
        uint256 claimed = rewards.claimed(account);
        return earned > claimed ? earned - claimed : 0;
    }

    function _collect(address account) private {
        if (_dueTo(account) == 0 || rewards.available() == 0) return;
        uint256 earned = handler.earned(account);
        bytes32 digest = rewards.claimDigest(account, earned, block.timestamp);
        rewards.claim(account, earned, block.timestamp, signatureOf(FRESH_KEY, digest));
    }

    function _give(address to, uint256 amount) private {
        vm.assertTrue(token.transfer(to, amount));
    }
}
