// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../src/RewardDistributor.sol";
import {TaskToken} from "../../src/TaskToken.sol";
import {IRewardDistributor} from "../../src/interfaces/IRewardDistributor.sol";
import {deploy} from "../utils/Deploy.sol";
import {expectError, signatureOf, vm} from "../utils/Vm.sol";

/// @dev Attack: a thief has the voucher key, takes one day's budget just before midnight and the
/// next one just after. Defence: the budget is a bucket that refills evenly over 24 hours. Until
/// the owner replaces the key, a thief can take at most one budget at once and at most two within
/// the first day.
contract BudgetAroundMidnightTest {
    bool public constant IS_TEST = true;
    uint256 private constant MIDNIGHT = 20_833 days;
    uint256 private constant STOLEN_KEY = 0xE1;
    uint256 private constant NEW_KEY = 0xE2;
    uint96 private constant BUDGET = 86_400 ether; // refills one token per second
    uint256 private constant FUNDS = 30 * uint256(BUDGET);
    address private constant OWNER = address(0xD1);
    address private constant THIEF = address(0xD2);
    address private constant HONEST = address(0xD3);

    TaskToken private token;
    RewardDistributor private rewards;

    function setUp() external {
        vm.warp(MIDNIGHT - 30 days);
        bytes memory supply = abi.encode("Task Token", "TASK", address(this), FUNDS);
        token = TaskToken(deploy("TaskToken", supply));
        address signer = vm.addr(STOLEN_KEY);
        bytes memory arguments = abi.encode(token, OWNER, signer, BUDGET);
        rewards = RewardDistributor(deploy("RewardDistributor", arguments));
        vm.assertTrue(token.transfer(address(rewards), FUNDS));
    }

    function test_OneSecondEachSide() external {
        vm.warp(MIDNIGHT - 1);
        vm.assertEq(_takeAll(), BUDGET);
        _assertNothing();
        vm.warp(MIDNIGHT);
        vm.assertEq(_takeAll(), 1 ether);
        vm.warp(MIDNIGHT + 1);
        vm.assertEq(_takeAll(), 1 ether);
        _assertMoney(BUDGET + 2 ether, 0);
    }

    /// @dev At most two budgets are paid within the first day, for any pauses between the thief's
    /// claims.
    function testFuzz_TwoBudgetsInTheFirstDay(uint256 first, uint32[24] calldata pauses) external {
        first = MIDNIGHT - first % 1 days;
        uint256 time = first;
        for (uint256 i = 0; i < pauses.length && time <= first + 1 days; ++i) {
            vm.warp(time);
            if (rewards.available() > 0) _takeAll();
            time += pauses[i] % 4 hours;
        }
        vm.warp(first + 1 days);
        if (rewards.available() > 0) _takeAll();
        uint256 taken = token.balanceOf(THIEF);
        vm.assertLe(taken, 2 * uint256(BUDGET), "more than two budgets");
        _assertMoney(taken, 0);
    }

    /// @dev After the owner replaces the key, the remaining tokens are safe, and honest accounts
    /// are paid as the bucket refills.
    function test_KeyReplaced() external {
        vm.warp(MIDNIGHT - 1);
        _takeAll();
        vm.warp(MIDNIGHT + 6 hours - 1);
        vm.prank(OWNER);
        rewards.setSigner(vm.addr(NEW_KEY));
        bytes memory old = _voucher(STOLEN_KEY, THIEF, FUNDS);
        vm.expectRevert(IRewardDistributor.InvalidVoucher.selector);
        rewards.claim(THIEF, FUNDS, MIDNIGHT + 1 days, old);

        bytes memory voucher = _voucher(NEW_KEY, HONEST, 20_000 ether);
        vm.assertEq(rewards.claim(HONEST, 20_000 ether, MIDNIGHT + 1 days, voucher), 20_000 ether);
        vm.assertEq(rewards.available(), 1600 ether);
        _assertMoney(BUDGET, 20_000 ether);
    }

    /// @dev A thief who empties the bucket every second can only delay payments: the unpaid part of
    /// an honest voucher can be claimed later.
    function test_HonestVoucherStaysOwed() external {
        vm.warp(MIDNIGHT - 1);
        _takeAll();
        bytes memory voucher = _voucher(STOLEN_KEY, HONEST, 100 ether);
        expectError(IRewardDistributor.NothingToClaim.selector, HONEST);
        rewards.claim(HONEST, 100 ether, MIDNIGHT + 1 days, voucher);
        vm.warp(MIDNIGHT + 39);
        rewards.claim(HONEST, 100 ether, MIDNIGHT + 1 days, voucher);
        _assertMoney(BUDGET, 40 ether);
        vm.warp(MIDNIGHT + 1 hours);
        rewards.claim(HONEST, 100 ether, MIDNIGHT + 1 days, voucher);
        _assertMoney(BUDGET, 100 ether);
    }

    function _takeAll() private returns (uint256) {
        bytes memory voucher = _voucher(STOLEN_KEY, THIEF, type(uint256).max);
        return rewards.claim(THIEF, type(uint256).max, MIDNIGHT + 1 days, voucher);
    }

    function _voucher(uint256 key, address account, uint256 cumulative)
        private
        view
        returns (bytes memory)
    {
        return _voucher(key, account, cumulative, MIDNIGHT + 1 days);
    }

    function _voucher(uint256 key, address account, uint256 cumulative, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        bytes32 digest = rewards.claimDigest(account, cumulative, deadline);
        return signatureOf(key, digest);
    }

    function _assertNothing() private {
        bytes memory voucher = _voucher(STOLEN_KEY, THIEF, type(uint256).max);
        expectError(IRewardDistributor.NothingToClaim.selector, THIEF);
        rewards.claim(THIEF, type(uint256).max, MIDNIGHT + 1 days, voucher);
    }

    function _assertMoney(uint256 thief, uint256 honest) private view {
        vm.assertEq(token.balanceOf(THIEF), thief, "thief");
        vm.assertEq(token.balanceOf(HONEST), honest, "honest");
        vm.assertEq(token.balanceOf(OWNER), 0, "owner");
        vm.assertEq(token.balanceOf(address(rewards)), FUNDS - thief - honest, "distributor");
        vm.assertEq(rewards.claimed(THIEF), thief, "claimed by the thief");
        vm.assertEq(rewards.claimed(HONEST), honest, "claimed by the honest account");
    }
}
