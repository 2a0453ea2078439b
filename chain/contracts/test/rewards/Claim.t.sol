// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../src/RewardDistributor.sol";
import {TaskToken} from "../../src/TaskToken.sol";
import {IRewardDistributor} from "../../src/interfaces/IRewardDistributor.sol";
import {deploy} from "../utils/Deploy.sol";
import {typedDataDigest} from "../utils/TypedData.sol";
import {Vm, bound, expectError, signatureOf, vm} from "../utils/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract ClaimTest {
    bool public constant IS_TEST = true;
    uint256 private constant START = 1_800_000_000;
    uint256 private constant SIGNER_KEY = 0xE1;
    uint96 private constant BUDGET = 100 ether;
    uint256 private constant FUNDS = 10_000 ether;
    address private constant OWNER = address(0xD1);
    address private constant PAYEE = address(0xD2);
    address private constant OTHER = address(0xD3);

    TaskToken private token;
    RewardDistributor private rewards;

    function setUp() external {
        vm.warp(START);
        bytes memory arguments = abi.encode("Task Token", "TASK", address(this), 2 * FUNDS);
        token = TaskToken(deploy("TaskToken", arguments));
        rewards = _newDistributor(token, vm.addr(SIGNER_KEY));
        token.transfer(address(rewards), FUNDS);
    }

    function test_ConstructorEmits() external {
        vm.recordLogs();
        address signer = vm.addr(SIGNER_KEY);
        rewards = _newDistributor(token, signer);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 3);
        vm.assertEq(logs[0].topics[0], Ownable.OwnershipTransferred.selector);
        vm.assertEq(logs[1].topics[0], IRewardDistributor.SignerChanged.selector);
        vm.assertEq(logs[1].topics[1], bytes32(uint256(uint160(signer))));
        vm.assertEq(logs[2].topics[0], IRewardDistributor.BudgetChanged.selector);
        vm.assertEq(abi.decode(logs[2].data, (uint256)), BUDGET);
    }

    function test_DigestIsTypedData() external view {
        bytes32 typeHash =
            keccak256("Claim(address account,uint256 cumulativeAmount,uint256 deadline)");
        bytes32 voucher = keccak256(abi.encode(typeHash, PAYEE, 1 ether, START));
        vm.assertEq(
            rewards.claimDigest(PAYEE, 1 ether, START),
            typedDataDigest("TaskmarketRewards", address(rewards), voucher)
        );
    }

    function test_EmitsOnlyChanges() external {
        _claim(PAYEE, 1 ether);
        bytes memory voucher = _voucher(SIGNER_KEY, PAYEE, 3 ether, START);
        vm.expectEmit(address(rewards));
        emit IRewardDistributor.Claimed(PAYEE, 2 ether, 3 ether);
        rewards.claim(PAYEE, 3 ether, START, voucher);
    }

    function test_RevertWhen_Expired() external {
        bytes memory voucher = _voucher(SIGNER_KEY, PAYEE, 1 ether, START);
        vm.warp(START + 1);
        expectError(IRewardDistributor.VoucherExpired.selector, START);
        rewards.claim(PAYEE, 1 ether, START, voucher);
        vm.warp(START);
        rewards.claim(PAYEE, 1 ether, START, voucher);
        vm.assertEq(token.balanceOf(PAYEE), 1 ether);
    }

    function test_RevertWhen_NotTheSigner() external {
        _assertInvalid(1 ether, _voucher(0xBAD, PAYEE, 1 ether, START));
        _assertInvalid(1 ether, _voucher(SIGNER_KEY, OTHER, 1 ether, START));
        _assertInvalid(2 ether, _voucher(SIGNER_KEY, PAYEE, 1 ether, START));
        _assertInvalid(1 ether, _voucher(SIGNER_KEY, PAYEE, 1 ether, START + 1));
        _assertInvalid(1 ether, new bytes(0));
        _assertInvalid(1 ether, new bytes(65));
    }

    function test_RevertWhen_OtherChainOrContract() external {
        bytes memory voucher = _voucher(SIGNER_KEY, PAYEE, 1 ether, START);
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        _assertInvalid(1 ether, voucher);
        vm.chainId(chain);
        rewards = _newDistributor(token, vm.addr(SIGNER_KEY));
        _assertInvalid(1 ether, voucher);
    }

    function test_RevertWhen_HighS() external {
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(SIGNER_KEY, rewards.claimDigest(PAYEE, 1 ether, START));
        bytes memory twin =
            abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _assertInvalid(1 ether, twin);
    }

    function test_RevertWhen_NoSigner() external {
        vm.prank(OWNER);
        rewards.setSigner(address(0));
        _assertInvalid(1 ether, new bytes(65));
        _assertInvalid(1 ether, _voucher(SIGNER_KEY, PAYEE, 1 ether, START));
    }

    function test_RevertWhen_NothingDue() external {
        _assertNothing(PAYEE, 0);
        _claim(PAYEE, 10 ether);
        _assertNothing(PAYEE, 10 ether);
        _assertNothing(PAYEE, 9 ether);
        _claim(OTHER, 200 ether);
        _assertNothing(PAYEE, 11 ether);
    }

    function test_RevertWhen_NoBalance() external {
        rewards = _newDistributor(token, vm.addr(SIGNER_KEY));
        _assertNothing(PAYEE, 1 ether);
    }

    function testFuzz_Claim(uint256 first, uint256 second, uint256 pause) external {
        first = bound(first, 1, BUDGET);
        second = bound(second, first + 1, type(uint128).max);
        pause = bound(pause, 0, 3 days);
        vm.expectEmit(address(rewards));
        emit IRewardDistributor.Claimed(PAYEE, first, first);
        vm.assertEq(_claim(PAYEE, first), first);
        vm.warp(START + pause);
        uint256 level = uint256(BUDGET) - first + uint256(BUDGET) * pause / 1 days;
        if (level > BUDGET) level = BUDGET;
        vm.assertEq(rewards.available(), level);
        if (level == 0) return _assertNothing(PAYEE, second);

        uint256 paid = second - first < level ? second - first : level;
        vm.assertEq(_claim(PAYEE, second), paid);
        vm.assertEq(rewards.claimed(PAYEE), first + paid);
        vm.assertEq(token.balanceOf(PAYEE), first + paid);
        vm.assertEq(rewards.available(), level - paid);
    }

    function test_PaysAtMostItsBalance() external {
        rewards = _newDistributor(token, vm.addr(SIGNER_KEY));
        token.transfer(address(rewards), 3 ether);
        vm.assertEq(_claim(PAYEE, 5 ether), 3 ether);
        vm.assertEq(rewards.claimed(PAYEE), 3 ether);
    }

    function test_RevertWhen_NotOwner() external {
        bytes memory reason =
            abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this));
        vm.expectRevert(reason);
        rewards.setSigner(OTHER);
        vm.expectRevert(reason);
        rewards.setBudget(1);
    }

    function test_SetSigner() external {
        vm.expectEmit(address(rewards));
        emit IRewardDistributor.SignerChanged(vm.addr(0xF1));
        vm.prank(OWNER);
        rewards.setSigner(vm.addr(0xF1));
        _assertInvalid(1 ether, _voucher(SIGNER_KEY, PAYEE, 1 ether, START));
        rewards.claim(PAYEE, 1 ether, START, _voucher(0xF1, PAYEE, 1 ether, START));
        vm.assertEq(rewards.claimed(PAYEE), 1 ether);
    }

    function test_SetBudget() external {
        _claim(PAYEE, BUDGET);
        vm.warp(START + 12 hours);
        vm.expectEmit(address(rewards));
        emit IRewardDistributor.BudgetChanged(10 * uint256(BUDGET));
        _setBudget(10 * BUDGET);
        vm.assertEq(rewards.available(), BUDGET / 2);
        vm.assertEq(rewards.dailyBudget(), 10 * uint256(BUDGET));
        vm.warp(START + 24 hours);
        vm.assertEq(rewards.available(), BUDGET / 2 + 5 * uint256(BUDGET));
        _setBudget(BUDGET);
        vm.assertEq(rewards.available(), BUDGET);
        _setBudget(0);
        _assertNothing(OTHER, 1);
    }

    function test_RevertWhen_Renounced() external {
        expectError(Ownable.OwnableUnauthorizedAccount.selector, address(this));
        rewards.renounceOwnership();
        vm.expectRevert(IRewardDistributor.OwnershipNotRenounceable.selector);
        vm.prank(OWNER);
        rewards.renounceOwnership();
    }

    function test_RevertWhen_ZeroToken() external {
        vm.expectRevert(IRewardDistributor.ZeroAddress.selector);
        _newDistributor(IERC20(address(0)), OTHER);
    }

    function _newDistributor(IERC20 token_, address signer) private returns (RewardDistributor) {
        bytes memory arguments = abi.encode(token_, OWNER, signer, BUDGET);
        return RewardDistributor(deploy("RewardDistributor", arguments));
    }

    function _setBudget(uint96 budget) private {
        vm.prank(OWNER);
        rewards.setBudget(budget);
    }

    function _claim(address account, uint256 cumulative) private returns (uint256) {
        bytes memory voucher = _voucher(SIGNER_KEY, account, cumulative, START + 30 days);
        return rewards.claim(account, cumulative, START + 30 days, voucher);
    }

    function _voucher(uint256 key, address account, uint256 cumulative, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        return signatureOf(key, rewards.claimDigest(account, cumulative, deadline));
    }

    function _assertInvalid(uint256 cumulative, bytes memory voucher) private {
        vm.expectRevert(IRewardDistributor.InvalidVoucher.selector);
        rewards.claim(PAYEE, cumulative, START, voucher);
    }

    function _assertNothing(address account, uint256 cumulative) private {
        bytes memory voucher = _voucher(SIGNER_KEY, account, cumulative, START + 30 days);
        expectError(IRewardDistributor.NothingToClaim.selector, account);
        rewards.claim(account, cumulative, START + 30 days, voucher);
    }
}
