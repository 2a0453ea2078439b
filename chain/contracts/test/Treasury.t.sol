// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TaskToken} from "../src/TaskToken.sol";
import {Treasury} from "../src/Treasury.sol";
import {ITreasury} from "../src/interfaces/ITreasury.sol";
import {deploy} from "./utils/Deploy.sol";
import {bound, expectError, vm} from "./utils/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract TreasuryTest {
    bool public constant IS_TEST = true;
    address private constant OWNER = address(0xD1);
    address private constant PAYEE = address(0xD2);

    TaskToken private token;
    Treasury private treasury;

    function setUp() external {
        treasury = Treasury(deploy("Treasury", abi.encode(OWNER)));
        bytes memory arguments = abi.encode("Task Token", "TASK", address(treasury), 100 ether);
        token = TaskToken(deploy("TaskToken", arguments));
    }

    function test_RevertWhen_NotOwner() external {
        expectError(Ownable.OwnableUnauthorizedAccount.selector, address(this));
        treasury.withdraw(token, PAYEE, 1);
    }

    function testFuzz_Withdraw(uint256 amount) external {
        amount = bound(amount, 0, 100 ether);
        vm.expectEmit(address(treasury));
        emit ITreasury.Withdrawn(token, PAYEE, amount);
        vm.prank(OWNER);
        treasury.withdraw(token, PAYEE, amount);
        vm.assertEq(token.balanceOf(PAYEE), amount);
        vm.assertEq(token.balanceOf(address(treasury)), 100 ether - amount);
    }

    function test_RevertWhen_Renounced() external {
        expectError(Ownable.OwnableUnauthorizedAccount.selector, address(this));
        treasury.renounceOwnership();
        vm.expectRevert(ITreasury.OwnershipNotRenounceable.selector);
        vm.prank(OWNER);
        treasury.renounceOwnership();
    }
}
