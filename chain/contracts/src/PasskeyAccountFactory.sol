// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyAccount} from "./PasskeyAccount.sol";
import {IEntryPoint} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// @title Accounts at addresses that commit to their first owners
/// @notice Anyone may create an account for its owners, who can receive tokens before it exists.
contract PasskeyAccountFactory {
    /// @notice The contract that all accounts are clones of.
    PasskeyAccount public immutable implementation;

    constructor(IEntryPoint entryPoint, address verifier) {
        implementation = new PasskeyAccount(entryPoint, verifier);
    }

    /// @notice Creates the account, or returns it if it exists. Anyone may call it.
    function create(bytes[] calldata owners, bytes32 salt) external returns (address account) {
        account = addressOf(owners, salt);
        if (account.code.length != 0) return account;
        // slither-disable-next-line unused-return: the address is known
        Clones.cloneDeterministic(address(implementation), _commitment(owners, salt));
        PasskeyAccount(payable(account)).initialize(owners);
    }

    /// @notice The address of the account with these first owners, which may not exist yet.
    function addressOf(bytes[] calldata owners, bytes32 salt) public view returns (address) {
        return
            Clones.predictDeterministicAddress(address(implementation), _commitment(owners, salt));
    }

    function _commitment(bytes[] calldata owners, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(owners, salt));
    }
}
